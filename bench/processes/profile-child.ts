/** Runs the standard profile against a simulator in the same process and sends its times. */
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { endWithParent } from './child-requests.ts'

export interface Profiled {
  conformance: string
  /** Milliseconds. */
  wall: number
  /** Processor time of suite and simulator, in milliseconds. */
  busy: number
  requests: number
}

endWithParent()
const simulator = await createSimulator({})
const before = process.cpuUsage()
const began = performance.now()
const { record } = await runServerUnredacted(simulatorTarget(simulator), { seed: 1 })
const wall = performance.now() - began
const { user, system } = process.cpuUsage(before)
await simulator.close()
const { conformance, used } = record
const profiled: Profiled = { conformance, wall, busy: (user + system) / 1_000, requests: used.requests }
process.send?.(profiled)
