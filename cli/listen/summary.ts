/** What a listener has seen, counted as it comes. */
import type { ListenedDelivery } from './delivery.ts'
import type { DeliveryOutcome } from './line.ts'

export interface Counts {
  requests: number
  /** Different delivery ids, as long as they are remembered. */
  deliveries: number
  tests: number
  duplicates: number
  wrongSignatures: number
  malformed: number
  /** By status; `none` where no answer went out. */
  answers: Record<string, number>
}

export function noCounts(): Counts {
  return {
    requests: 0,
    deliveries: 0,
    tests: 0,
    duplicates: 0,
    wrongSignatures: 0,
    malformed: 0,
    answers: {},
  }
}

export function count(
  counts: Counts,
  delivery: ListenedDelivery,
  { answered: { status } }: DeliveryOutcome,
): void {
  const { id, attempt, test, duplicate, signature, problems } = delivery
  counts.requests += 1
  if (id !== null && attempt === 1) counts.deliveries += 1
  if (test && attempt === 1) counts.tests += 1
  if (duplicate) counts.duplicates += 1
  if (signature === 'wrong' || signature === 'missing') counts.wrongSignatures += 1
  if (problems.length > 0) counts.malformed += 1
  const answer = String(status ?? 'none')
  counts.answers[answer] = (counts.answers[answer] ?? 0) + 1
}

/** `3 requests: 1 delivery, 0 tests …`, without what did not occur. */
export function summaryLine(counts: Counts): string {
  const { requests, deliveries, tests, duplicates, wrongSignatures, malformed, answers } = counts
  const said = [
    many(deliveries, 'delivery', 'deliveries'),
    many(tests, 'of them a test', 'of them tests'),
    many(duplicates, 'duplicate', 'duplicates'),
    many(wrongSignatures, 'signature wrong or missing', 'signatures wrong or missing'),
    many(malformed, 'malformed', 'malformed'),
    ...Object.entries(answers).map(
      ([status, times]) => `${times} × ${status === 'none' ? 'no answer' : status}`,
    ),
  ].filter((part) => part !== '')
  const all = many(requests, 'request', 'requests') || 'no requests'
  return `${[all, said.join(', ')].filter((part) => part !== '').join(': ')}\n`
}

function many(number: number, one: string, more: string): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : more}`
}
