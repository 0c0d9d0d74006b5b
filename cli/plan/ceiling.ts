/** The most that a planned run can take, beside requests and turns. Pure. */
import type { Plan } from '../../suites/record.ts'
import type { Target } from '../../suites/config/target.ts'

export interface Ceiling {
  requests: number
  turns: number
  /** The cap of the run: what a turn costs is only known once one ran. 0 where no turn is planned. */
  credits: number
  /** The cap of the run: how long a turn takes is the target's affair. */
  minutes: number
  /** Of these, what waiting for the rate takes if one key sends everything. */
  waitingMinutes: number
  /** Which caps are below what was planned, so that the run would end early. */
  cutBy: readonly ('requests' | 'turns' | 'minutes')[]
}

export function ceilingOf({ ceiling }: Plan, { budgets, timing }: Target): Ceiling {
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
