/** The commands under measurement, as a user would type them after `npm run build`. */
import { fileURLToPath } from 'node:url'
import type { Probe } from './server-process.ts'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export function simulateCommand(port: number): readonly string[] {
  return [process.execPath, file('../dist/cli/bin.js'), 'simulate', '--port', String(port), '--json']
}

export function prismCommand(port: number): readonly string[] {
  const prism = file('../node_modules/@stoplight/prism-cli/dist/index.js')
  const document = file('../spec/openapi.yaml')
  return [process.execPath, prism, 'mock', '--port', String(port), '-v', 'silent', document]
}

/** Prism has no health route: the first 200 it can give is a mocked turn. */
export const prismProbe: Probe = {
  method: 'POST',
  path: '/api/v1/chat/agent',
  headers: {
    authorization: 'Bearer sk-bench',
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: '{"message":"hello","idempotency_key":"bench"}',
}
