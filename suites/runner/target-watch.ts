/** Notices that the target has stopped responding, so that the rest of the plan is not sent to nobody. */
import { notExercised, type Ending } from '../scenario/ending.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isLost, isUnanswered, lossOf } from './outcome/lost.ts'

export interface TargetWatch {
  /** Why no further scenario is run, or null. */
  gone(): Ending | null
  /** To be called after each scenario. Returns an ending if the target does not respond any more. */
  after(execution: ScenarioExecution, isLast: boolean): Promise<Ending | null>
}

export interface WatchOptions {
  journal: readonly Exchange[]
  /** Sends one request that any target answers. */
  probe(): Promise<Exchange>
  /** Waits real time. */
  pause(ms: number): Promise<void>
}

/** Scenarios in a row without any response of the target. */
const mostUnanswered = 3
const probes = 3
const betweenProbesMs = 3_000

export function createTargetWatch({ journal, probe, pause }: WatchOptions): TargetWatch {
  let unanswered = 0
  let gone: Ending | null = null

  async function responds(): Promise<boolean> {
    for (let count = 1; count <= probes; count++) {
      const answer = await probe()
      if (!isLost(answer)) return true
      // The rate was waited for, as the refusal before it asked.
      if (answer.response?.status === 429) return false
      if (count < probes) await pause(betweenProbesMs)
    }
    return false
  }

  return {
    gone: () => gone,
    async after(execution, isLast) {
      unanswered = isUnanswered(execution) ? unanswered + 1 : 0
      if (unanswered === 0 || (unanswered < mostUnanswered && !isLast)) return gone
      if (await responds()) unanswered = 0
      else gone ??= notExercised('target-unavailable', lossOf(journal)).ending
      return gone
    },
  }
}
