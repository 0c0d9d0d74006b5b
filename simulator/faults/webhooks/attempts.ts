/** Deliveries that are tried too late, too often, too seldom, or not waited for. */
import type { Rules } from '../../rules.ts'
import type { AttemptRecord, AttemptOutcome } from '../../webhooks/delivery/delivery.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Attempts that end a delivery though they failed. */
const givenUpAfter =
  (isLast: (attempt: AttemptRecord) => boolean) =>
  (rules: Rules): Partial<Rules> => ({ retries: (attempt) => !isLast(attempt) && rules.retries(attempt) })
const givenUpWhere = (lost: AttemptOutcome) => givenUpAfter(({ outcome }) => outcome === lost)

/** Attempts that are followed by another though they succeeded. */
const goingOnAfter =
  (goesOn: (attempt: AttemptRecord) => boolean) =>
  (rules: Rules): Partial<Rules> => ({ retries: (attempt) => goesOn(attempt) || rules.retries(attempt) })

export const attemptFaults = {
  'first-attempt-by-a-timer': fault({
    title: 'The first attempt comes ten seconds after its event.',
    breaks: ['ATT-FIRST'],
    rules: () => ({ firstWaitMs: 10_000 }),
  }),
  'success-tried-again': fault({
    title: 'A delivery that was answered 200 is tried again once.',
    breaks: ['ATT-DELIVERED'],
    rules: goingOnAfter(({ number, status }) => number === 1 && status === 200),
  }),
  'every-delivery-thrice': fault({
    title: 'A delivery is always tried three times, whatever the endpoint answers.',
    breaks: ['ATT-DELIVERED', 'ATT-DELIVERED-2XX', 'ATT-DELIVERED-LATE', 'LOG-RETRIES'],
    rules: () => ({ retries: () => true }),
  }),
  'only-200-counts': fault({
    title: 'Only 200 counts as a success.',
    breaks: ['ATT-DELIVERED-2XX', 'LOG-SUCCESS', 'LOG-RETRIES'],
    rules: () => ({ isDelivered: (status) => status === 200 }),
  }),
  'no-content-fails': fault({
    title: 'A 204 counts as a failure.',
    breaks: ['ATT-DELIVERED-2XX'],
    rules: (rules) => ({ isDelivered: (status) => status !== 204 && rules.isDelivered(status) }),
  }),
  'late-success-tried-again': fault({
    title: 'A delivery that succeeds at the second attempt has a third.',
    breaks: ['ATT-DELIVERED-LATE'],
    rules: goingOnAfter(({ number }) => number === 2),
  }),
  'client-errors-final': fault({
    title: 'A 4xx ends a delivery.',
    breaks: ['ATT-SECOND-STATUS'],
    rules: givenUpAfter(({ status }) => status !== null && status >= 400 && status < 500),
  }),
  'retry-dropped-for-next-event': fault({
    title: 'A retry is not sent once there is another delivery to its webhook.',
    breaks: ['ATT-SECOND-STATUS'],
    rules: (rules, { outbox }) => ({
      deliveryHeaders(delivery, attempt, ...more) {
        if (attempt > 1 && outbox.deliveriesOf(delivery.webhook.id).at(-1)?.id !== delivery.id)
          throw new Error('There is a later one.')
        return rules.deliveryHeaders(delivery, attempt, ...more)
      },
    }),
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
  'third-attempt-at-once': fault({
    title: 'The third attempt follows the second at once.',
    breaks: ['ATT-BACKOFF'],
    rules: (rules) => ({ backoffMs: (number) => (number === 2 ? 0 : rules.backoffMs(number)) }),
  }),
  'failure-logged-as-success': fault({
    title: 'The log shows a delivery as succeeded that was given up.',
    breaks: ['ATT-FAILED', 'LOG-SUCCESS'],
    rules: (rules) => ({ logEntry: (facts) => rules.logEntry({ ...facts, success: true }) }),
  }),
} as const satisfies Record<string, Fault>
