/** Alternatives that mock our OpenAPI document, started as a user would. */
import { join } from 'node:path'
import { root } from '../cache.ts'
import { mockoonCommand } from './mockoon.ts'
import { freePort, startServer, type ReadinessProbe, type ServerProcess } from './server-process.ts'

export interface Peer {
  name: string
  /** The arguments of Node; `--port` is appended. */
  command: readonly string[]
}

export const prism: Peer = {
  name: 'prism mock',
  command: [
    join(root, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    'mock',
    join(root, 'spec/openapi.yaml'),
    '-v',
    'silent',
  ],
}

let found: Promise<readonly Peer[]> | undefined

/** The peers that are available. */
export function peers(): Promise<readonly Peer[]> {
  return (found ??= findPeers())
}

async function findPeers(): Promise<readonly Peer[]> {
  const mockoon = await mockoonCommand()
  return [prism, ...(mockoon ? [{ name: 'mockoon', command: mockoon }] : [])]
}

/** Peers have no health route, so a mocked turn shows when they are ready. */
const mockedTurn: ReadinessProbe = {
  method: 'POST',
  path: '/api/v1/chat/agent',
  headers: {
    authorization: 'Bearer sk-bench',
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: '{"message":"hello","idempotency_key":"bench"}',
}

export async function startPeer({ command }: Peer): Promise<ServerProcess> {
  const port = await freePort()
  return startServer([...command, '--port', String(port)], port, mockedTurn)
}
