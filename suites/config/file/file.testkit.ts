/** A target file for tests: small, whole, and easy to spoil in one place. */
import { states } from '../../../spec/index.ts'
import { ConfigurationError } from '../target.ts'
import { parseTarget } from './file.ts'
import type { Environment } from './schema.ts'

export const environment: Environment = {
  KEY: 'sk-secret',
  KEY_2: 'sk-other',
  EMPTY: '',
  TWO_LINES: 'sk-1\nsk-2',
  WITH_PASSWORD: 'https://us:hunter2@chat.example.test',
}

/** Every state is provided by nobody; the last line belongs to `states`. */
export const wholeFile = [
  'apiVersion: touchstone/v1',
  'target: { name: acme, kind: staging, baseUrl: "https://chat.example.test" }',
  'principals:',
  '  main: { bearer: "env:KEY", scopes: [chat] }',
  'agents:',
  '  plain: agent-1',
  '  paused: agent-2',
  'states:',
  ...Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`),
].join('\n')

/** The line after the last one. */
export const nextLine = wholeFile.split('\n').length + 1

/** What is written of one state instead. */
export function withState(state: string, written: string, text: string = wholeFile): string {
  return text.replace(new RegExp(`^  ${state}: .*$`, 'm'), `  ${state}: { ${written} }`)
}

export function lineOf(state: string): number {
  return wholeFile.split('\n').findIndex((line) => line.startsWith(`  ${state}:`)) + 1
}

/** What is said against a file; nothing, when it is right. */
export function problemsOf(text: string, env: Environment = environment): readonly string[] {
  try {
    parseTarget(text, 'target.yaml', env)
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown.problems
    throw thrown
  }
}
