/** Everything that a changed judge is held against: the judges' own tests, and what was said of recorded scenarios. */
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { deepStrictEqual } from 'node:assert'
import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import { readTold, recordedScenarios, saidOf, type Told } from './corpus.ts'
import { forget } from './memo-stand-in.ts'
import { gatherFrom, takeGathered, type GatheredTest } from './vitest-stand-in.ts'

const files = [
  'suites/{assertions,*/assertions}/**/*.test.ts',
  'suites/wire/{sse,body,json}.test.ts',
  'suites/receivers/answers.test.ts',
]

const here = (name: string): string => new URL(name, import.meta.url).href
const standIn = here('./vitest-stand-in.ts')

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest' && context.parentURL !== standIn) return next(standIn, context)
    const found = next(specifier, context)
    return found.url.endsWith('/suites/wire/memo.ts') ? { ...found, url: here('./memo-stand-in.ts') } : found
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
  const { judgeScenario, serverScenarios } = await import('../../suites/index.ts')
  return recordedScenarios().map((planned) => {
    const scenario = serverScenarios[planned]
    if (!scenario) throw new Error(`the corpus holds ${planned}, which is no scenario; record it again`)
    let kept: readonly Told[] | undefined
    const run = (): void => {
      kept ??= readTold(planned)
      for (const { execution, dialect, said } of kept)
        deepStrictEqual(judgeScenario(planned, scenario, execution, dialect).map(saidOf), said)
    }
    return { id: `told: ${planned}`, run }
  })
}
