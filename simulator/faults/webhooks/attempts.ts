/** Deliveries that are tried too late, too often, too seldom, or not waited for. */
import type { Rules } from '../../rules/tenant-state.ts'
import type { AttemptRecord, AttemptOutcome } from '../../tenant/webhooks/delivery.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Attempts that end a delivery though they failed. */
const givenUpAfter =
  (isLast: (attempt: AttemptRecord) => boolean) =>
  (rules: Rules): Partial<Rules> => ({ retries: (attempt) => !isLast(attempt) && rules.retries(attempt) })
const givenUpWhere = (lost: AttemptOutcome) => givenUpAfter(({ outcome }) => outcome === lost)

export const attemptFaults = {
  'first-attempt-by-a-timer': fault({
    title: 'The first attempt comes ten seconds after its event.',
    breaks: ['ATT-FIRST'],
    rules: () => ({ firstWaitMs: 10_000 }),
  }),
  'every-delivery-thrice': fault({
    title: 'A delivery is always tried three times, whatever the endpoint answers.',
    breaks: ['ATT-DELIVERED', 'ATT-DELIVERED-2XX', 'ATT-DELIVERED-LATE', 'LOG-RETRIES'],
    rules: () => ({ retries: () => true }),
  }),
  'no-content-fails': fault({
    title: 'A 204 counts as a failure.',
    breaks: ['ATT-DELIVERED-2XX'],
    rules: (rules) => ({ isDelivered: (status) => status !== 204 && rules.isDelivered(status) }),
  }),
  'client-errors-final': fault({
    title: 'A 4xx ends a delivery.',
    breaks: ['ATT-SECOND-STATUS'],
    rules: givenUpAfter(({ status }) => status !== null && status >= 400 && status < 500),
  }),
  'redirect-final': fault({
    title: 'A 3xx ends a delivery.',
    breaks: ['ATT-SECOND-REDIRECT'],
    rules: givenUpAfter(({ status }) => status !== null && status >= 300 && status < 400),
  }),
  'any-answer-final': fault({
    title: 'Any answer ends a delivery.',
    breaks: ['ATT-SECOND-STATUS', 'ATT-SECOND-REDIRECT'],
    rules: givenUpWhere('refused'),
  }),
  'unreachable-final': fault({
    title: 'An endpoint that nothing can be sent to, or that hangs up, ends a delivery.',
    breaks: ['ATT-SECOND-UNREACHABLE', 'ATT-SECOND-SILENT'],
    rules: givenUpWhere('unreachable'),
  }),
  'two-attempts': fault({
    title: 'A delivery is tried twice at most.',
    breaks: ['ATT-THIRD'],
    rules: () => ({ attemptsMost: 2 }),
  }),
  'four-attempts': fault({
    title: 'A delivery is tried a fourth time half a second after the third.',
    breaks: ['ATT-NO-FOURTH'],
    rules: (rules) => ({
      attemptsMost: 4,
      backoffMs: (number) => (number === 3 ? 500 : rules.backoffMs(number)),
    }),
  }),
  'answer-hardly-awaited': fault({
    title: 'An answer is waited for three seconds.',
    breaks: ['ATT-WAIT-LOWER'],
    rules: () => ({ answerWaitMs: 3_000 }),
  }),
  'answer-awaited-too-long': fault({
    title: 'An answer is waited for half a minute.',
    breaks: ['ATT-WAIT-UPPER'],
    rules: () => ({ answerWaitMs: 30_000 }),
  }),
  'answer-awaited-for-good': fault({
    title: 'An answer is waited for an hour.',
    breaks: ['ATT-WAIT-UPPER', 'ATT-SECOND-SILENT'],
    rules: () => ({ answerWaitMs: 3_600_000 }),
  }),
  'id-per-attempt': fault({
    title: 'Every attempt has an id of its own.',
    breaks: ['ATT-SAME-ID'],
    rules: (rules) => ({
      attemptId: (delivery, number) => `${rules.attemptId(delivery, number)}-${number}`,
    }),
  }),
  'tried-again-at-once': fault({
    title: 'A failed attempt is followed by the next one at once.',
    // Three attempts within a moment are over before an endpoint that is away for another moment is back.
    breaks: ['ATT-BACKOFF', 'ATT-SECOND-UNREACHABLE'],
    rules: () => ({ backoffMs: () => 0 }),
  }),
  'failure-logged-as-success': fault({
    title: 'The log shows a delivery as succeeded that was given up.',
    breaks: ['ATT-FAILED', 'LOG-SUCCESS'],
    rules: (rules) => ({ logEntry: (facts) => rules.logEntry({ ...facts, success: true }) }),
  }),
} as const satisfies Record<string, Fault>

export const endpointPauseFaults = {
  'endpoint-never-paused': fault({
    title: 'An endpoint that keeps failing gets every delivery.',
    breaks: ['ATT-PAUSE'],
    rules: () => ({ endpointPause: { after: Number.POSITIVE_INFINITY, ms: 0 } }),
  }),
  'endpoint-paused-for-good': fault({
    title: 'An endpoint that was paused gets nothing ever after.',
    breaks: ['ATT-PAUSE-ENDS'],
    rules: (rules) => ({ endpointPause: { ...rules.endpointPause, ms: Number.POSITIVE_INFINITY } }),
  }),
  'pause-turns-off': fault({
    title: 'An endpoint that keeps failing turns its webhook off.',
    breaks: ['ATT-PAUSE-ACTIVE'],
    rules: () => ({ pauseTurnsOff: true }),
  }),
} as const satisfies Record<string, Fault>
