/** The tests that a mutated judge must survive to go unnoticed: its unit tests and the findings about recorded runs. */
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { deepStrictEqual } from 'node:assert'
import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import { readRuns, recordedScenarios, judgedFinding, type RecordedRun } from './corpus.ts'
import { forget } from './memo-stand-in.ts'
import { gatherFrom, takeGathered, type GatheredTest } from './vitest-stand-in.ts'

const files = ['suites/{assertions,*/assertions}/**/*.test.ts', 'suites/wire/{sse,body,json}.test.ts']

const here = (name: string): string => new URL(name, import.meta.url).href
const vitestStandIn = here('./vitest-stand-in.ts')

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest' && context.parentURL !== vitestStandIn) return next(vitestStandIn, context)
    const found = next(specifier, context)
    return found.url.endsWith('/suites/wire/memo/memo.ts')
      ? { ...found, url: here('./memo-stand-in.ts') }
      : found
  },
})

// A score that is measured twice is the same twice.
fc.configureGlobal({ seed: 1 })

export { forget }

/** By the working directory, whose judges are those that are tested. */
export async function battery(): Promise<readonly GatheredTest[]> {
  for (const file of globSync(files).toSorted()) {
    gatherFrom(file)
    await import(pathToFileURL(file).href)
  }
  return [...takeGathered(), ...(await scenarioTests())]
}

async function scenarioTests(): Promise<readonly GatheredTest[]> {
  const { judgeScenario, receiverScenarios, serverScenarios } = await import('../../suites/index.ts')
  const scenarios: typeof serverScenarios = { ...serverScenarios, ...receiverScenarios }
  return recordedScenarios().map((planned) => {
    const scenario = scenarios[planned]
    if (!scenario) throw new Error(`the corpus holds ${planned}, which is no scenario; record it again`)
    let runs: readonly RecordedRun[] | undefined
    const run = (): void => {
      runs ??= readRuns(planned)
      for (const { execution, dialect, findings: said } of runs)
        deepStrictEqual(judgeScenario(planned, scenario, execution, dialect).map(judgedFinding), said)
    }
    return { id: `recorded: ${planned}`, run }
  })
}
