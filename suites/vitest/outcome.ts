/** What a finding is to a test runner, in words for a person. Knows no runner. */
import { clauses, type ClauseId } from '../../spec/index.ts'
import { curlOf } from '../engine/curl.ts'
import type { Finding, Verdict } from '../record.ts'
import type { KnownFailure } from '../target/target.ts'
import type { Exchange } from '../wire/exchange.ts'

export type Outcome =
  | { is: 'passed'; note?: string }
  /** Passed, and somebody should know. */
  | { is: 'warned'; note: string }
  | { is: 'skipped'; note: string }
  | { is: 'failed'; message: string }

export interface Shown {
  finding: Finding
  waiver: KnownFailure | null
  /** The exchange that shows it. */
  exchange: Exchange | undefined
  baseUrl: string
}

export function outcomeOf(shown: Shown): Outcome {
  return outcomes[shown.finding.verdict](shown)
}

const skipped = ({ finding: { verdict, reason, detail } }: Shown): Outcome => ({
  is: 'skipped',
  note: [verdict, reason, detail].filter(Boolean).join(': '),
})

const outcomes: Record<Verdict, (shown: Shown) => Outcome> = {
  pass: ({ finding: { detail } }) =>
    detail === undefined ? { is: 'passed' } : { is: 'passed', note: detail },
  observed: ({ finding: { detail = '' } }) => ({ is: 'passed', note: `observed: ${detail}` }),
  warn: (shown) => ({ is: 'warned', note: differenceOf(shown) }),
  fail: (shown) =>
    shown.waiver
      ? { is: 'warned', note: `${ownedBy(shown.waiver)}\n${differenceOf(shown)}` }
      : { is: 'failed', message: differenceOf(shown) },
  error: ({ finding: { detail = '' } }) => ({
    is: 'failed',
    message: `the suite itself erred: ${detail}`,
  }),
  'not-exercised': skipped,
  inconclusive: skipped,
  'not-applicable': skipped,
}

function ownedBy({ owner, expires, reason }: KnownFailure): string {
  return `known failure of ${owner} until ${expires} (${reason})`
}

/** The clause, what was expected, what came, and how to send it again. */
function differenceOf({ finding, exchange, baseUrl }: Shown): string {
  const { subject, expected = '', got = '', fingerprint } = finding
  const clause = subject in clauses ? clauses[subject as ClauseId] : null
  const lines = [
    clause ? `${subject}: ${clause.text} (${clause.level}; ${clause.source})` : subject,
    `  expected  ${expected}`,
    `  got       ${got}`,
    ...(exchange ? [`  sent      ${curlOf(exchange, baseUrl)}`] : []),
    ...(fingerprint === undefined ? [] : [`  known as  ${finding.check}, fingerprint ${fingerprint}`]),
  ]
  return lines.join('\n')
}
