/** Copies of a client that is right, `examples/clients/fetch.ts`, each with some places changed. */
import { readFileSync } from 'node:fs'

const right = readFileSync(new URL('../../../examples/clients/fetch.ts', import.meta.url), 'utf8')

export type Patch = readonly [from: string, to: string]

export interface BrokenClient {
  /** Default: any client. */
  readonly as?: 'library'
  readonly patches: readonly Patch[]
  /** The scenarios that it runs; default: everything. */
  readonly scenarios?: readonly string[]
  /** Clauses that turn red, each with the worst that is said of it. */
  readonly found: Readonly<Record<string, string>>
}

/** What is changed, and the clauses that do not pass then, each with the worst that is said of it. */
export const differs = (
  found: Readonly<Record<string, string>>,
  ...patches: readonly Patch[]
): Pick<BrokenClient, 'found' | 'patches'> => ({ found, patches })

/** `clauses`: ids with blanks between them. */
export const fails = (clauses: string, ...patches: readonly Patch[]) =>
  differs(Object.fromEntries(clauses.split(' ').map((clause) => [clause, 'fail'])), ...patches)

/** A place that is not there, or there twice, is an error of ours. */
export function patchedClient(patches: readonly Patch[]): string {
  return patches.reduce((source, [from, to]) => {
    const times = source.split(from).length - 1
    if (times !== 1) throw new Error(`${JSON.stringify(from)} stands ${times} times in fetch.ts, not once`)
    return source.replace(from, () => to)
  }, right)
}

/** Places that more than one copy changes. */
export const place = {
  headers: "...(call.body ? { 'content-type': 'application/json' } : {}),",
  key: "...(call.key === undefined ? {} : { 'idempotency-key': call.key }),",
  request: 'const response = await fetch(baseUrl + call.path, { method: call.method, headers, body })',
  bytes: 'const body = call.body ? JSON.stringify(call.body) : null',
  turn: 'const body = { message, conversation_id: conversationId, interaction }',
  inProgress: "if (status === 409 && code === 'REQUEST_IN_PROGRESS') return pauseMs",
  limited: 'if (status !== 429) return null',
  decoded: 'const text = decoder.decode(chunk, { stream: true })',
  lines: String.raw`const lines = rest.split(/\r\n|\n|\r/)`,
  data: "if (!line.startsWith('data:')) continue",
  event: 'const event = membersOf(JSON.parse(line.slice(5)))',
  done: "if (event.type === 'done') return\n",
  failed: "if (event.type === 'error') throw new Failure({ code: null, error: event.error ?? null })",
  ended: "throw new Failure({ code: null, error: 'the stream ended before it was done' })",
  replied: "if (event.type === 'done') report({ saw: 'reply', reply: event })\n      }\n      return\n",
} as const
