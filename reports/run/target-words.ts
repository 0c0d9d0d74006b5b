/** What a target is, and where it is found. */
import type { RunRecord } from '../bundle/record.ts'

type Target = RunRecord['target']

const held = {
  client: '',
  library: ', held against the clauses of the library',
  'command-line': ', held against the clauses of the command line',
} as const
/** Of which there is one more, for command lines alone. */
const actionsOfClients = 6

/** Its kind, and of a client whose clauses it was held against and what it was asked for. */
export function kindOf({ kind, client }: Target): string {
  if (kind !== 'client' || client === undefined) return kind
  const { as, can } = client
  const some = as !== 'command-line' && can.length < actionsOfClients ? `, asked to ${can.join(', ')}` : ''
  return `${kind}${held[as]}${some}`
}

const nouns: Readonly<Record<Target['kind'], string>> = {
  simulator: 'a server',
  staging: 'a server',
  production: 'a server',
  receiver: 'a receiver',
  client: 'a client',
}

/** What its clauses apply to. */
export function targetNoun({ kind, client }: Target): string {
  return client?.as === 'command-line' ? 'a command line' : nouns[kind]
}

/** Null for what has no address: a client comes to us. */
export function addressOf({ kind, baseUrl }: Target): string | null {
  return kind === 'client' ? null : baseUrl
}
