/** What a finding is about, what a target is and where, and who started the run, in words. */
import {
  clauses,
  clauseText,
  contractIdentifiers,
  contractWords,
  gaps,
  ownText,
  type Gap,
} from '../../spec/index.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { present } from '../document/blocks.ts'
import { isClause } from '../verdicts/clauses.ts'

type Target = RunRecord['target']

/** Of which there is one more, for command lines alone. */
const actionsOfClients = 6

/** Its kind, and of a client whose clauses it was held against and what it was asked for. */
export function kindOf({ kind, client }: Target): string {
  if (kind !== 'client' || client === undefined) return kind
  const { as, can } = client
  const held = as === 'client' ? '' : `, held against the clauses of the ${as.replace('-', ' ')}`
  const some = as !== 'command-line' && can.length < actionsOfClients ? `, asked to ${can.join(', ')}` : ''
  return `${kind}${held}${some}`
}

const texts = {
  answer: 'Conformance',
  byArea: 'Passed, failed and not tested, by area',
  failedChecks: 'Failed checks',
  failures: 'Failures',
  failure: 'failure',
  noFailure: 'No check failed.',
  notTested: 'Not tested',
  notRun: 'not run',
}

const textsOfTraffic: typeof texts = {
  answer: 'Traffic',
  byArea: 'Seen without violation, violated and not seen, by area',
  failedChecks: 'Violations',
  failures: 'Violations',
  failure: 'violation',
  noFailure: 'No violation was seen.',
  notTested: 'Not seen',
  notRun: 'without a result',
}

export const textsOf = ({ kind }: Target): typeof texts => (kind === 'traffic' ? textsOfTraffic : texts)

export const targetNoun = ({ kind, client }: Target): string =>
  client?.as === 'command-line'
    ? 'a command line'
    : kind === 'client' || kind === 'receiver'
      ? `a ${kind}`
      : 'a server'

/** Null for what has no address: a client comes to us. */
export const addressOf = ({ kind, baseUrl }: Target): string | null => (kind === 'client' ? null : baseUrl)

/** Such as `Acme chat-api 4.12.3`, or how a simulator was switched; empty where nothing was declared. */
export const underTest = ({ organization, project, version, modifications = [] }: Target): string =>
  present(organization, project, version, ...modifications).join(' ')

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

/** Seconds that it really took: its own clock may skip waits. Of shards, the longest, as they ran apart. */
export const tookSeconds = ({ run, used, merged }: RunRecord): number =>
  merged ? used.wallSeconds : Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1_000

/** Of a service that does not declare its version: how to declare it. Empty where there is nothing to declare. */
export const howToDeclareVersion = ({ target: { kind, version } }: RunRecord): string =>
  (kind === 'staging' || kind === 'production') && version === undefined
    ? 'version not declared: set `target.implementation.version` in the target file'
    : ''

const openQuestions: ReadonlyMap<string, Pick<Gap, 'question' | 'source'>> = new Map(Object.entries(gaps))

/** Of a run: its clause set may have words of its own, and its target identifiers. */
export interface SubjectContext {
  contract?: RunRecord['contract']
  target?: Pick<RunRecord['target'], 'identifiers'>
}

/**
 * Words of a subject, its section and row of the contract, and that with the phrases that decide it. A record may be older
 * than the catalogue, so an id may be unknown.
 */
export function subjectOf(id: string, { contract, target }: SubjectContext = {}) {
  if (isClause(id)) {
    const { source } = clauses[id]
    const own = contract && ownText(contract, id)
    const words = contractWords(clauses[id])
    return own === undefined
      ? { text: clauseText(id, target?.identifiers ?? contractIdentifiers), source, words }
      : { text: own, source, words: `${words}; in the words of ${contract?.revision}` }
  }
  const { question, source } = openQuestions.get(id) ?? {
    question: 'This id is not in the catalogue of this version.',
    source: 'unknown',
  }
  return { text: question, source, words: source }
}
