/**
 * Scenarios that were run once, with what the judges made of them. A judge is a function of a recorded scenario, so
 * one that was changed is held against what it said of thousands, without sending anything.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Dialect, Finding, Played } from '../../suites/index.ts'

/** What a judge said, without what is the same of every scenario. */
export type Said = Pick<Finding, 'check' | 'verdict' | 'reason' | 'detail' | 'expected' | 'got'>

export interface Told {
  /** Which simulator: its fault, variant, interpretation or seed. */
  by: string
  /** Clauses that it may turn red. */
  breaks: readonly string[]
  dialect: Dialect
  execution: Played
  said: readonly Said[]
}

/** Beside the installed modules, where a copy of the project that shares them finds it too. */
const folder = new URL('../../node_modules/.cache/touchstone-corpus/', import.meta.url)
const fileOf = (scenario: string): URL => new URL(`${scenario.replaceAll('/', ' ')}.bin`, folder)
const scenarioOf = (file: string): string => file.replace(/\.bin$/, '').replaceAll(' ', '/')

export function saidOf({ check, verdict, reason, detail, expected, got }: Finding): Said {
  const optional = { reason, detail, expected, got }
  const given = Object.entries(optional).filter(([, value]) => value !== undefined)
  return { check, verdict, ...Object.fromEntries(given) }
}

/** Replaces whatever was recorded before. */
export function writeCorpus(scenarios: ReadonlyMap<string, readonly Told[]>): void {
  mkdirSync(folder, { recursive: true })
  const gone = readdirSync(folder).filter((file) => !scenarios.has(scenarioOf(file)))
  for (const file of gone) rmSync(new URL(file, folder))
  for (const [scenario, told] of scenarios) writeFileSync(fileOf(scenario), serialize(told))
}

/** Ids of the scenarios that were recorded. Throws where none was. */
export function recordedScenarios(): readonly string[] {
  if (!existsSync(folder))
    throw new Error('no scenarios are recorded; run `npm run lab -- mutation --record`')
  return readdirSync(folder).map(scenarioOf)
}

export function readTold(scenario: string): readonly Told[] {
  return deserialize(readFileSync(fileOf(scenario))) as readonly Told[]
}
