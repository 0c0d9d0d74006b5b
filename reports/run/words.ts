/** What a finding is about, what a target is and where, and who started the run, in words. */
import {
  clauses,
  clauseText,
  contractIdentifiers,
  contractWords,
  gaps,
  ownText,
  type ClauseId,
  type Gap,
} from '../../spec/index.ts'
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

/** Such as `Acme chat-api 4.12.3`, or how a simulator was switched; empty where nothing was declared. */
export function underTest({ organization, project, version, modifications }: RunRecord['target']): string {
  return [organization, project, version, ...(modifications ?? [])]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** Such as `started by octocat in GitHub Actions`; empty where nothing was recorded. */
export function originLine({ run: { origin } }: RunRecord): string {
  if (origin === undefined) return ''
  const { ci, actor, host } = origin
  const place = ci === undefined ? (host === undefined ? '' : ` on ${host}`) : ` in ${ci}`
  return `started${actor === undefined ? '' : ` by ${actor}`}${place}`
}

/** Such as `main, 5f3c1e2`; empty outside of CI. */
export function sourceLine({ run: { origin } }: RunRecord): string {
  const { branch, commit } = origin ?? {}
  return [branch, commit?.slice(0, 12)].filter(Boolean).join(', ')
}

/** Of a service that does not declare its version: how to declare it. Empty where there is nothing to declare. */
export function howToDeclareVersion({ target: { kind, version } }: RunRecord): string {
  const declares = kind === 'staging' || kind === 'production'
  return declares && version === undefined
    ? 'version not declared: set `implementation.version` in the target file'
    : ''
}

export interface SubjectText {
  text: string
  /** Section and row of the contract. */
  source: string
  /** The same with the phrases that decide it. */
  words: string
}

const isClause = (id: string): id is ClauseId => Object.hasOwn(clauses, id)
const openQuestions: ReadonlyMap<string, Gap> = new Map(Object.entries(gaps))

/** Of a run: its clause set may have words of its own, and its target identifiers. */
export interface SubjectContext {
  contract?: RunRecord['contract']
  target?: Pick<RunRecord['target'], 'identifiers'>
}

/** Words and place of a subject. A record may be older than the catalogue, so an id may be unknown. */
export function subjectOf(id: string, { contract, target }: SubjectContext = {}): SubjectText {
  if (isClause(id)) {
    const { source } = clauses[id]
    const own = contract && ownText(contract, id)
    const words = contractWords(clauses[id])
    if (own !== undefined)
      return { text: own, source, words: `${words}; in the words of ${contract?.revision}` }
    return { text: clauseText(id, target?.identifiers ?? contractIdentifiers), source, words }
  }
  const gap = openQuestions.get(id)
  if (gap) return { text: gap.question, source: gap.source, words: gap.source }
  return { text: 'This id is not in the catalogue of this version.', source: 'unknown', words: 'unknown' }
}
