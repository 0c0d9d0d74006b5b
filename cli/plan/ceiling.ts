/** The maximum cost of a planned run. */
import type { Target } from '../../suites/config/target.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { Planned } from '../../suites/runner/plan/plan.ts'
import { keysOf } from '../../suites/runner/requests/key-ring.ts'
import { ordinary } from '../../suites/runner/states/settings.ts'

export const keyWords = (keys: number): string => (keys === 1 ? 'with one key' : `with each of ${keys} keys`)

export interface RunCeiling {
  requests: number
  turns: number
  /** The limit of the run, because the cost of a turn is unknown; 0 if no turn is planned. */
  credits: number
  /** The limit of the run, because the duration of a turn is unknown. */
  minutes: number
  /** The part of the requests that the rate of a key holds back; those of a session are not. */
  pacedRequests: number
  /** Keys of the ordinary principal, which share the load. */
  keys: number
  /** The part of these that waits for the rate limit, if the ordinary principal sends everything. */
  waitingMinutes: number
  /** Limits below the planned maximum, which may end the run early. */
  cutBy: readonly ('requests' | 'turns' | 'minutes')[]
}

/** At least one, so that a target without principals has an estimate. */
export function ordinaryKeys(target: Target): number {
  const principal = ordinary(target)
  return principal ? keysOf(principal).length : 1
}

export function runCeiling({ plan: { ceiling }, scenarios }: Planned, target: Target): RunCeiling {
  const { budgets, timing } = target
  const { requests, turns } = ceiling
  const keys = ordinaryKeys(target)
  const paced = Math.min(pacedCeiling(scenarios), budgets.requests)
  const windows = Math.max(0, Math.ceil(paced / (budgets.requestsPerMinute * keys)) - 1)
  const waitingMinutes = timing.clock === 'control' ? 0 : windows
  const minutes = Math.ceil(budgets.wallSeconds / 60)
  return {
    requests: Math.min(requests, budgets.requests),
    turns: Math.min(turns, budgets.turns),
    credits: turns === 0 ? 0 : budgets.credits,
    minutes,
    pacedRequests: paced,
    keys,
    waitingMinutes: Math.min(waitingMinutes, minutes),
    cutBy: [
      ...(requests > budgets.requests ? ['requests' as const] : []),
      ...(turns > budgets.turns ? ['turns' as const] : []),
      ...(waitingMinutes > minutes ? ['minutes' as const] : []),
    ],
  }
}
