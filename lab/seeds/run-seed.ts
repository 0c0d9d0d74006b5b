/** One seed: the scenarios that draw in the exhaustive profile, or all in the standard one, against a simulator of their own. */
import { variants, type VariantId } from '../../simulator/index.ts'
import type { Variant } from '../../simulator/modification/modification.ts'
import { exploredOf } from '../../suites/models/sequences.ts'
import type { Run, Scenarios, Target } from '../../suites/index.ts'
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
function problemsOf({ record: { findings, gate, exitCode } }: Run): readonly string[] {
  const problems = findings.filter(({ verdict }) => !fine.includes(verdict)).map(line)
  return exitCode === 0 || problems.length > 0 ? problems : gate.because
}

export async function runSeed(seed: number, scenarios: Scenarios): Promise<readonly string[]> {
  const run = await simulatedRun({ ...simulator, seed: String(seed) }, { seed, scenarios }, exhaustive)
  return problemsOf(run)
}

const ways: readonly (VariantId | null)[] = [null, ...(Object.keys(variants) as readonly VariantId[])]

/**
 * Seeds take the plain simulator and its variants in turn. A variant may leave a check without a verdict, which the golden
 * verdicts have; it is failed by none.
 */
export async function runWhole(seed: number): Promise<readonly string[]> {
  const variant = ways[seed % ways.length] ?? null
  const options = { ...simulator, seed: String(seed), variants: variant === null ? [] : [variant] }
  const run = await simulatedRun(options, { seed, scenarios: scenariosOf(roomIds) })
  if (variant === null) return problemsOf(run)
  const { warns = [] }: Partial<Variant> = variants[variant]
  const alarms = run.record.findings.filter(
    ({ verdict, subject }) =>
      ['fail', 'error'].includes(verdict) || (verdict === 'warn' && !warns.some((one) => one === subject)),
  )
  return alarms.map((one) => `${variant}: ${line(one)}`)
}
