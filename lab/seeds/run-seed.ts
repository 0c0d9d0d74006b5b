/** One seed: the scenarios that draw, in the exhaustive profile, against a simulator of their own. */
import { exploredOf } from '../../suites/models/sequences.ts'
import type { Scenarios, Target } from '../../suites/index.ts'
import { roomIds, scenariosOf } from '../../test/rooms.ts'
import { line, simulatedRun } from '../../test/simulated-run.ts'

/** Two addresses of one service: without them the scenarios about replicas are not planned. */
const simulator = { replicas: 2 }
const exhaustive = (target: Target): Target => ({ ...target, profile: 'exhaustive' })

/** The scenarios that left notes of drawn sequences: nobody has to list them. */
export async function drawingScenarios(): Promise<Scenarios> {
  const all = scenariosOf(roomIds)
  const { record } = await simulatedRun(simulator, { scenarios: all }, exhaustive)
  const drawing = record.scenarioRuns.filter(({ notes }) => exploredOf(notes) !== null)
  return Object.fromEntries(
    drawing.flatMap(({ scenario }) => {
      const one = all[scenario]
      return one === undefined ? [] : [[scenario, one] as const]
    }),
  )
}

const fine: readonly string[] = ['pass', 'observed', 'not-applicable']

/** What a conforming server may not end with, in lines; none where all is well. */
export async function runSeed(seed: number, scenarios: Scenarios): Promise<readonly string[]> {
  const run = await simulatedRun({ ...simulator, seed: String(seed) }, { seed, scenarios }, exhaustive)
  const { findings, gate, exitCode } = run.record
  const troubles = findings.filter(({ verdict }) => !fine.includes(verdict)).map(line)
  return exitCode === 0 || troubles.length > 0 ? troubles : gate.because
}
