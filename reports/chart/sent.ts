/** What a run sent, and when, as its journal has it. */
import type { Exchange, Run } from '../bundle/record.ts'

/** What went out to the target, in order; without what a cap held back, what met no server, and what has no time. */
export function sent({ journal }: Run): readonly Exchange[] {
  return journal
    .filter(({ inbound, failure }) => !inbound && failure?.kind !== 'budget' && failure?.kind !== 'refused')
    .filter(({ sentAt, endedAt }) => isTime(sentAt) && isTime(endedAt))
    .toSorted((one, other) => one.sentAt - other.sentAt)
}

/** Of a run that could have been: a journal that was tampered with is drawn as well. */
export function isTime(ms: number): boolean {
  return ms >= 0 && ms <= Number.MAX_SAFE_INTEGER
}

/** When the last of them ended; at least a millisecond, so that there is something to divide. */
export function endOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((end, { sentAt, endedAt }) => Math.max(end, sentAt, endedAt), 1)
}

/** The first value of a header of the answer; undefined where there is none. */
export function answerHeader({ response }: Exchange, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return response?.headers.find(([given]) => given.toLowerCase() === wanted)?.[1]
}

const skew = 1_000
/** A window of a minute, a second that is rounded, and a little for the way. */
const widestReset = 65_000

/**
 * Whether the run moved the clock of the target on instead of waiting: then a minute of ours is none of the
 * target's. Seen in deliveries that came in, or in resets that run ahead of us.
 */
export function clockMoved({ record, journal }: Run): boolean {
  if (record.target.kind === 'simulator') return true
  if (journal.some(({ inbound, sentAt }) => inbound && Math.abs(inbound.targetAt - sentAt) > skew))
    return true
  const ahead = journal.flatMap((exchange) => {
    const reset = Number(answerHeader(exchange, 'x-ratelimit-reset'))
    // A Unix time, not seconds to go.
    return reset > 1e9 && isTime(exchange.sentAt) ? [reset * 1_000 - exchange.sentAt] : []
  })
  const [least, most] = ahead.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)] as const,
    [Infinity, -Infinity] as const,
  )
  return most - least > widestReset
}
