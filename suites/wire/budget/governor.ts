/** One per run, in front of the recorder: holds every key under the target's rate, and the run under its caps. */
import type { Budgets } from '../../../bundle/record.ts'
import type { Clock } from '../clock.ts'
import { type Exchange, header } from '../exchange.ts'
import { backoffMs, creditsUsed, turnTrace } from './spending.ts'

interface AdvertisedRate {
  /** Requests that the key may send before the reset. */
  remaining: number
  /** Until the reset, counted from the response; at most a minute. */
  resetMs: number
}

const prefixes = ['x-ratelimit', 'ratelimit', 'x-rate-limit']
/** A smaller number of seconds is a duration; from 1e11 on it is a Unix time in milliseconds. */
const leastUnixTime = 1e9
const leastUnixMs = 1e11

/** Null for other routes, which may have limits of their own, and where a header is missing or no number. */
function advertisedRate(exchange: Exchange): AdvertisedRate | null {
  if (!exchange.request.path.startsWith('/api/v1/chat/')) return null
  for (const prefix of prefixes) {
    const [remaining, reset] = ['remaining', 'reset'].map((what) => {
      const [value = '', ...more] = header(exchange, `${prefix}-${what}`)
      return more.length === 0 && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
    })
    const seconds = reset === undefined ? Number.NaN : secondsUntil(reset, exchange)
    if (remaining !== undefined && seconds >= 0)
      return { remaining, resetMs: Math.min(60_000, seconds * 1000) }
  }
  return null
}

/** By the clock of the target, which may differ from ours. */
function secondsUntil(reset: number, exchange: Exchange): number {
  if (reset < leastUnixTime) return reset
  const date = Date.parse(header(exchange, 'date')[0] ?? '')
  return (reset < leastUnixMs ? reset : reset / 1000) - date / 1000
}

/**
 * Keeps what one API key sends under the target's requests per minute. A sliding window, not a bucket that refills
 * while it is drained: such a bucket lets almost twice the limit through in its first minute. Bursts up to the
 * whole limit are free, and in no minute, wherever it begins, is more sent than the limit.
 */

interface Pace {
  /** Milliseconds from `now` until `count` more may be sent; 0 if they may at once. */
  delay(now: number, count: number): number
  /** The same, but also until the target accepts as many: others may have used the key. */
  delayBesideOthers(now: number, count: number): number
  /** `count` are sent now. Returns the number of requests in the window of then and since. */
  take(now: number, count: number): () => number
  /** What the target says is left, with at most `own` requests of ours in its window. */
  hear(now: number, advertised: AdvertisedRate, own: number): void
  /** Nothing before this time: the target asked for a pause. */
  hold(until: number): void
}

/** Requests of others that the target counts, until it forgets them. */
interface Others {
  count: number
  until: number
  /** What was left when they were noticed. */
  remaining: number
}

/** A request may take its time to arrive, and clocks differ; a second more than a minute covers both. */
const windowMs = 61_000
const noOthers: Others = { count: 0, until: 0, remaining: 0 }

/** `Infinity` keeps to no rate, and to the pauses alone. */
function paceOf(requestsPerMinute: number): Pace {
  /** In order, so that what is out of the window is the beginning. */
  const sent: number[] = []
  let total = 0
  let heldUntil = 0
  let others = noOthers
  /** What was left before a wait for more. */
  let awaited: number | null = null
  /** Until a wait was in vain. */
  let trusted = true

  /** When the `n`th request of the window leaves it. */
  function leavesAt(n: number, { count, until }: Others): number {
    const before = sent.filter((at) => at + windowMs <= until).length
    if (n > before && n <= before + count) return until
    return (sent[(n > before ? n - count : n) - 1] ?? 0) + windowMs
  }

  function delayBeside(now: number, count: number, beside: Others): number {
    const since = now - windowMs
    while ((sent[0] ?? Infinity) <= since) sent.shift()
    const surplus = sent.length + beside.count + Math.min(count, requestsPerMinute) - requestsPerMinute
    const free = surplus > 0 ? leavesAt(surplus, beside) : now
    return Math.max(0, free - now, heldUntil - now)
  }

  const delay = (now: number, count: number): number => delayBeside(now, count, noOthers)
  return {
    delay,
    delayBesideOthers(now, count) {
      const own = delay(now, count)
      if (others.until <= now) return own
      const ms = delayBeside(now, count, others)
      if (ms > own) awaited = others.remaining
      return ms
    },
    take(now, count) {
      for (let i = 0; i < count; i++) sent.push(now)
      total += count
      const left = total - sent.length
      return () => total - left
    },
    hear(now, { remaining, resetMs }, own) {
      if (awaited !== null && remaining <= awaited) trusted = false
      awaited = null
      const count = Math.max(0, requestsPerMinute - own - remaining)
      const isKnown = trusted && Number.isFinite(requestsPerMinute)
      others = isKnown ? { count, until: now + resetMs + 1_000, remaining } : noOthers
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until)
    },
  }
}

/**
 * What the run has spent, against its caps. What an answer will cost is not known before it comes, so turns under
 * way are held in reserve at the dearest price seen: caps on requests and turns are never passed, the one on
 * credits by no more than the first turns under way cost. A request that went out twice is known to be two only
 * afterwards: it is counted as two then.
 */

interface Spent {
  requests: number
  turns: number
  credits: number
}

interface BudgetLedger {
  spent(): Spent
  /** Why so much more cannot be had, or null. */
  refusal(requests: number, turns: number): string | null
  /** Counts the requests, holds the turns in reserve until the exchanges they became are handed in. */
  reserve(requests: number, turns: number): (exchanges: readonly Exchange[]) => void
}

/** Without what binary fractions add to decimal ones: a tenth ten times is one. */
const sumOf = (one: number, other: number): number => Number((one + other).toFixed(9))

function createLedger(budgets: Pick<Budgets, keyof Spent>): BudgetLedger {
  const spent: Spent = { requests: 0, turns: 0, credits: 0 }
  let pending = 0
  let dearest = 0

  function settle(reserved: number, exchanges: readonly Exchange[]): void {
    const traces = exchanges.map(turnTrace)
    const ran = traces.filter((trace) => trace === 'ran').length
    const unknown = traces.filter((trace) => trace === 'may have run').length
    const credits = exchanges.map(creditsUsed).filter((used) => used !== null)
    pending -= reserved
    spent.requests += exchanges.filter(({ resent }) => resent).length
    spent.turns += reserved > 0 ? Math.max(ran, Math.min(reserved, ran + unknown)) : credits.length
    spent.credits = credits.reduce(sumOf, spent.credits)
    dearest = Math.max(dearest, ...credits)
  }

  return {
    spent: () => ({ ...spent }),
    refusal(requests, turns) {
      const after: Spent = {
        requests: spent.requests + requests,
        turns: spent.turns + pending + turns,
        credits: turns > 0 ? spent.credits + (pending + turns) * dearest : 0,
      }
      const caps = ['requests', 'turns', 'credits'] as const
      const passed = caps.find((cap) => after[cap] > budgets[cap])
      const why = passed === 'credits' ? `: one turn reported ${dearest}` : ''
      return passed
        ? `the run may use ${budgets[passed]} ${passed}, and this could make it ${after[passed]}${why}`
        : null
    },
    reserve(requests, turns) {
      spent.requests += requests
      pending += turns
      let open = true
      return (exchanges) => {
        if (open) settle(turns, exchanges)
        open = false
      }
    },
  }
}

export interface BudgetRequest {
  /** Its name; null where no key is sent: that is not paced, and rests only where a 429 asks for it. */
  principal: string | null
  /** Requests. Default 1. */
  count?: number | undefined
  /** The most turns they can run. Default: as many as there are requests. */
  turns?: number | undefined
  /** Sent without waiting, for the scenario about the rate limit. */
  unpaced?: boolean | undefined
}

export type Admission =
  | {
      admitted: true
      /** To be called once, with every exchange that it led to: releases the reserve. */
      settle(exchanges: readonly Exchange[]): void
    }
  | { admitted: false; because: string }

export interface Used extends Spent {
  wallSeconds: number
}

export interface BudgetProgress extends Used {
  /**
   * Set while a key waits for its rate, or what is sent without one as long as a 429 asks. Never set where the
   * target's clock is advanced instead, which takes no time.
   */
  waiting?: { principal: BudgetRequest['principal']; ms: number }
}

export interface Governor {
  /** Waits for the rate, then admits; refuses when a cap of the run would be passed. */
  admit(ask: BudgetRequest): Promise<Admission>
  /**
   * Waits until a key may send `count` requests without a further wait, so that none falls into the middle of a
   * scenario, where it would end the very turn that has to be under way. Takes nothing. Where responses show that
   * others use the key, too, it waits for the reset that they advertise.
   */
  ready(principal: string, count: number): Promise<void>
  used(): Used
  /** Why not even one turn more can be had, or null: no scenario has to be set up for it then. */
  spent(): string | null
  /** The target's clock was advanced by this much elsewhere: the rate recovers with it. */
  skip(ms: number): void
}

export interface GovernorOptions {
  budgets: Budgets
  /** Of what is sent without a key. Default: as fast as it is answered. */
  perMinuteWithoutKey?: number | undefined
  clock: Clock
  /** Waits by advancing the target's clock. Without it, waiting is real sleep and counts against the seconds. */
  wait?: ((ms: number) => Promise<void>) | undefined
  onProgress?: ((progress: BudgetProgress) => void) | undefined
  /** Ends every wait, and admits nothing more. */
  signal?: AbortSignal | undefined
}

/** The pace of each key, made when it is first asked for. */
function pacesOf({
  budgets: { requestsPerMinute },
  perMinuteWithoutKey = Infinity,
}: GovernorOptions): (principal: BudgetRequest['principal']) => Pace {
  const paces = new Map<BudgetRequest['principal'], Pace>()
  return (principal) => {
    const pace = paces.get(principal) ?? paceOf(principal === null ? perMinuteWithoutKey : requestsPerMinute)
    paces.set(principal, pace)
    return pace
  }
}

/** One at a time for each key, or two that wait together would both use one free slot, or advance the clock twice. */
function inLanes(admit: Governor['admit']): Governor['admit'] {
  const lanes = new Map<BudgetRequest['principal'], Promise<Admission>>()
  return (ask) => {
    if (ask.unpaced) return admit(ask)
    const next = () => admit(ask)
    const turn = (lanes.get(ask.principal) ?? Promise.resolve()).then(next, next)
    lanes.set(ask.principal, turn)
    return turn
  }
}

export function createGovernor(options: GovernorOptions): Governor {
  const { budgets, clock, wait, onProgress, signal } = options
  const ledger = createLedger(budgets)
  const paceFor = pacesOf(options)
  let skipped = 0

  const used = (): Used => ({ ...ledger.spent(), wallSeconds: clock.now() / 1000 })
  const targetNow = (): number => clock.now() + skipped

  function refusal({ count = 1, turns = count }: BudgetRequest, sleepMs = 0): string | null {
    if (signal?.aborted) return 'the run was ended early'
    if (clock.now() + (wait ? 0 : sleepMs) > budgets.wallSeconds * 1000)
      return `the run may take ${budgets.wallSeconds} seconds, and this would take it longer`
    return ledger.refusal(count, turns)
  }

  /** Where a wait has advanced the target's clock ours stood still; what is missing is counted. */
  async function waitFor(principal: BudgetRequest['principal'], ms: number): Promise<void> {
    if (!wait) onProgress?.({ ...used(), waiting: { principal, ms } })
    const before = clock.now()
    await (wait ? wait(ms) : clock.sleep(ms, signal))
    skipped += Math.max(0, ms - (clock.now() - before))
  }

  async function ready(principal: string, count: number): Promise<void> {
    const ms = paceFor(principal).delayBesideOthers(targetNow(), count)
    // What no longer fits is refused when it is asked for, with the cap that it meets.
    if (ms > 0 && refusal({ principal, count: 1 }, ms) === null) await waitFor(principal, ms)
  }

  async function admit(ask: BudgetRequest): Promise<Admission> {
    const { principal, count = 1, turns = count } = ask
    const pace = paceFor(principal)
    for (;;) {
      const ms = ask.unpaced ? 0 : pace.delay(targetNow(), count)
      const because = refusal(ask, ms)
      if (because !== null) return { admitted: false, because }
      if (ms === 0) break
      await waitFor(principal, ms)
    }
    const own = pace.take(targetNow(), count)
    const settle = ledger.reserve(count, turns)
    return {
      admitted: true,
      settle(exchanges) {
        settle(exchanges)
        pace.take(targetNow(), exchanges.filter(({ resent }) => resent).length)
        pace.hold(targetNow() + Math.max(0, ...exchanges.map(backoffMs)))
        // The one that was counted last.
        const [least] = exchanges
          .flatMap((one) => advertisedRate(one) ?? [])
          .toSorted((a, b) => a.remaining - b.remaining)
        if (least) pace.hear(targetNow(), least, own())
        onProgress?.(used())
      },
    }
  }

  return {
    admit: inLanes(admit),
    ready,
    used,
    spent: () => refusal({ principal: null }),
    skip(ms) {
      skipped += ms
    },
  }
}
