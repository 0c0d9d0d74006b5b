/** Plays the standard profile against a simulator in the same process, and sends how long that took. */
import { performance } from 'node:perf_hooks'
import { simulatorTarget } from '../cli/simulator-target.ts'
import { createSimulator } from '../simulator/index.ts'
import { runSuite } from '../suites/index.ts'

export interface Profiled {
  conformance: string
  /** Milliseconds. */
  wall: number
  /** Milliseconds of it in which something was done, on either side of the wire; the rest was waited. */
  busy: number
}

const simulator = await createSimulator({})
const before = performance.eventLoopUtilization()
const began = performance.now()
const { record } = await runSuite(simulatorTarget(simulator), { seed: 1 })
const wall = performance.now() - began
const { active } = performance.eventLoopUtilization(before)
await simulator.close()
const profiled: Profiled = { conformance: record.conformance, wall, busy: active }
process.send?.(profiled)
