/** One per run, in front of the recorder: holds every key under the target's rate, and the run under its caps. */
import type { Budgets } from '../../../reports/bundle/record.ts'
import type { Clock } from '../clock.ts'
import type { Exchange } from '../exchange.ts'
import { advertisedRate, type AdvertisedRate } from './advertised.ts'
import { createLedger, type Spent } from './ledger.ts'
import { paceOf, type Pace } from './pace.ts'
import { backoffMs } from './spending.ts'

/** What one principal is about to send at once. */
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
  clock: Clock
  /** Waits by advancing the target's clock. Without it, waiting is real sleep and counts against the seconds. */
  wait?: ((ms: number) => Promise<void>) | undefined
  onProgress?: ((progress: BudgetProgress) => void) | undefined
  /** Ends every wait, and admits nothing more. */
  signal?: AbortSignal | undefined
}

/** The pace of each key, made when it is first asked for. The rate is one of keys: without a key there is none. */
function pacesOf(requestsPerMinute: number): (principal: BudgetRequest['principal']) => Pace {
  const paces = new Map<BudgetRequest['principal'], Pace>()
  return (principal) => {
    const pace = paces.get(principal) ?? paceOf(principal === null ? Infinity : requestsPerMinute)
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

const byRemaining = (a: AdvertisedRate, b: AdvertisedRate): number => a.remaining - b.remaining

export function createGovernor({ budgets, clock, wait, onProgress, signal }: GovernorOptions): Governor {
  const ledger = createLedger(budgets)
  const paceFor = pacesOf(budgets.requestsPerMinute)
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
        const [least] = exchanges.flatMap((one) => advertisedRate(one) ?? []).toSorted(byRemaining)
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
