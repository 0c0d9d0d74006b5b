/** Notices that the target has stopped responding, so that the rest of the plan is not sent in vain. */
import { notExercised, type Ending, type ScenarioExecution } from '../scenario/ending.ts'
import type { Exchange } from '../wire/exchange.ts'
import { backoffMs } from '../wire/budget/spending.ts'
import { endsLost, isLost, isUnanswered, lossOf } from './outcome/judge.ts'

export type Executed = ScenarioExecution | Ending

type TargetWatch = (work: () => Promise<Executed>) => Promise<Executed>

interface WatchOptions {
  journal: readonly Exchange[]
  /** Scenarios that can be run: after the last one the target is probed if it lost requests. */
  scenarios: number
  /** Sends one request that any target answers. */
  probe: () => Promise<Exchange>
  /** Waits real time, at most to the end of the run. Never rejects. */
  pause: (ms: number) => Promise<void>
}

const mostUnanswered = 3
const probes = 3
const betweenProbesMs = 3_000

export function createTargetWatch({ journal, scenarios, probe, pause }: WatchOptions): TargetWatch {
  let left = scenarios
  let unanswered = 0
  let gone: Ending | null = null

  async function responds(): Promise<boolean> {
    for (let count = 1; count <= probes; count++) {
      const response = await probe()
      if (!isLost(response)) return true
      // The wait that the refusal before it asked for is over.
      if (backoffMs(response) > 0) return false
      if (count < probes) await pause(betweenProbesMs)
    }
    return false
  }

  return async (work) => {
    if (gone) return gone
    const executed = await work()
    left -= 1
    const ran = 'is' in executed ? null : executed
    if (ran) unanswered = isUnanswered(ran) ? unanswered + 1 : 0
    const isSuspect = unanswered > 0 || (ran !== null && endsLost(ran))
    if (!isSuspect || (unanswered < mostUnanswered && left > 0)) return executed
    if (await responds()) {
      unanswered = 0
      return executed
    }
    gone ??= notExercised('target-unavailable', lossOf(journal)).ending
    // What the target did before it was lost, and states that could not be left, are recorded with the execution.
    return ran === null || (isUnanswered(ran) && ran.stuck.length === 0) ? gone : { ...ran, ending: gone }
  }
}
