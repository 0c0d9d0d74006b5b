/** The maximum cost of a planned run. */
import type { Plan } from '../../reports/bundle/record.ts'
import type { Target } from '../../suites/config/target.ts'

export interface RunCeiling {
  requests: number
  turns: number
  /** The limit of the run, because the cost of a turn is unknown; 0 if no turn is planned. */
  credits: number
  /** The limit of the run, because the duration of a turn is unknown. */
  minutes: number
  /** The part of these that waits for the rate limit, if one key sends everything. */
  waitingMinutes: number
  /** Limits below the planned maximum, which may end the run early. */
  cutBy: readonly ('requests' | 'turns' | 'minutes')[]
}

export function runCeiling({ ceiling }: Plan, { budgets, timing }: Target): RunCeiling {
  const { requests, turns } = ceiling
  const windows = Math.max(0, Math.ceil(requests / budgets.requestsPerMinute) - 1)
  const waitingMinutes = timing.clock === 'control' ? 0 : windows
  const minutes = Math.ceil(budgets.wallSeconds / 60)
  return {
    requests: Math.min(requests, budgets.requests),
    turns: Math.min(turns, budgets.turns),
    credits: turns === 0 ? 0 : budgets.credits,
    minutes,
    waitingMinutes: Math.min(waitingMinutes, minutes),
    cutBy: [
      ...(requests > budgets.requests ? ['requests' as const] : []),
      ...(turns > budgets.turns ? ['turns' as const] : []),
      ...(waitingMinutes > minutes ? ['minutes' as const] : []),
    ],
  }
}
