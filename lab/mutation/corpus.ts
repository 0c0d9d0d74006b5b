/**
 * Recorded scenario runs with their findings. A judge is a function of a recorded run, so a mutated judge is compared
 * with its findings about thousands of runs, without sending anything.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Dialect, Finding, ScenarioExecution } from '../../suites/index.ts'

/** The part of a finding that a judge determines. */
export type JudgedFinding = Pick<Finding, 'check' | 'verdict' | 'reason' | 'detail' | 'expected' | 'got'>

export interface RecordedRun {
  /** The fault, variants or seed of the simulator, or the receiver. */
  by: string
  /** Then nothing may fail. */
  conforms: boolean
  dialect: Dialect
  execution: ScenarioExecution
  findings: readonly JudgedFinding[]
}

/** Beside the installed modules, where a copy of the project that shares them finds it too. */
const folder = new URL('../../node_modules/.cache/touchstone-corpus/', import.meta.url)
const fileOf = (scenario: string): URL => new URL(`${scenario.replaceAll('/', ' ')}.bin`, folder)
const scenarioOf = (file: string): string => file.replace(/\.bin$/, '').replaceAll(' ', '/')

export function judgedFinding({ check, verdict, reason, detail, expected, got }: Finding): JudgedFinding {
  const optional = { reason, detail, expected, got }
  const given = Object.entries(optional).filter(([, value]) => value !== undefined)
  return { check, verdict, ...Object.fromEntries(given) }
}

/** Replaces whatever was recorded before. */
export function writeCorpus(scenarios: ReadonlyMap<string, readonly RecordedRun[]>): void {
  mkdirSync(folder, { recursive: true })
  const gone = readdirSync(folder).filter((file) => !scenarios.has(scenarioOf(file)))
  for (const file of gone) rmSync(new URL(file, folder))
  for (const [scenario, runs] of scenarios) writeFileSync(fileOf(scenario), serialize(runs))
}

/** Ids of the scenarios that were recorded. Throws where none was. */
export function recordedScenarios(): readonly string[] {
  if (!existsSync(folder))
    throw new Error('no scenarios are recorded; run `npm run lab -- mutation` without --keep')
  return readdirSync(folder).map(scenarioOf)
}

export function readRuns(scenario: string): readonly RecordedRun[] {
  return deserialize(readFileSync(fileOf(scenario))) as readonly RecordedRun[]
}
