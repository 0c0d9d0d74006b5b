/** What a finding is to a test runner, in words for a person. Knows no runner. */
import {
  clauses,
  clauseText,
  contractIdentifiers,
  type ClauseId,
  type Identifiers,
} from '../../spec/index.ts'
import { curlOf } from '../../bundle/curl.ts'
import type { Finding, Verdict } from '../../bundle/record.ts'
import { loggedWords } from '../../bundle/trace.ts'
import type { Exchange } from '../wire/exchange.ts'

export type TestOutcome =
  | { is: 'passed'; note?: string }
  | { is: 'warned'; note: string }
  | { is: 'skipped'; note: string }
  | { is: 'failed'; message: string }

export interface Shown {
  finding: Finding
  exchange: Exchange | undefined
  baseUrl: string
  /** Of the target; absent: as the contract writes them. */
  identifiers?: Identifiers
  requestIdHeader?: string
}

export function testOutcomeOf(shown: Shown): TestOutcome {
  return outcomes[shown.finding.verdict](shown)
}

const skipped = ({ finding: { verdict, reason, detail } }: Shown): TestOutcome => ({
  is: 'skipped',
  note: [verdict, reason, detail].filter(Boolean).join(': '),
})

const outcomes: Record<Verdict, (shown: Shown) => TestOutcome> = {
  pass: ({ finding: { detail } }) =>
    detail === undefined ? { is: 'passed' } : { is: 'passed', note: detail },
  observed: ({ finding: { detail = '' } }) => ({ is: 'passed', note: `observed: ${detail}` }),
  warn: (shown) => ({ is: 'warned', note: differenceOf(shown) }),
  fail: (shown) => withoutSay(shown, differenceOf(shown)),
  error: (shown) => withoutSay(shown, `the suite itself erred: ${shown.finding.detail ?? ''}`),
  'not-exercised': skipped,
  inconclusive: skipped,
  'not-applicable': skipped,
}

/** Failed, unless somebody answers for it or its clause does not count yet. */
function withoutSay({ finding: { verdict, provisional, waived } }: Shown, message: string): TestOutcome {
  if (provisional) return { is: 'warned', note: `provisional, so it does not count yet\n${message}` }
  if (!waived || verdict !== 'fail') return { is: 'failed', message }
  const { owner, expires, reason } = waived
  const what = waived.as === 'flaky' ? 'flaky, says' : 'known failure of'
  return { is: 'warned', note: `${what} ${owner} until ${expires} (${reason})\n${message}` }
}

function clauseWords(id: ClauseId, identifiers: Identifiers): string {
  const { level, source } = clauses[id]
  return `${clauseText(id, identifiers)} (${level}; ${source})`
}

function differenceOf(shown: Shown): string {
  const { finding, exchange, baseUrl, identifiers = contractIdentifiers } = shown
  const { subject, expected = '', got = '', fingerprint } = finding
  const log = exchange === undefined ? '' : loggedWords(exchange, shown)
  const lines = [
    subject in clauses ? `${subject}: ${clauseWords(subject as ClauseId, identifiers)}` : subject,
    `  expected  ${expected}`,
    `  got       ${got}`,
    ...(log === '' ? [] : [`  log       ${log}`]),
    ...(exchange ? [`  sent      ${curlOf(exchange, { baseUrl })}`] : []),
    ...(fingerprint === undefined ? [] : [`  known as  ${finding.check}, fingerprint ${fingerprint}`]),
  ]
  return lines.join('\n')
}
