/**
 * A test runner for Stryker that loads judges and tests once and then runs the few tests that reach a mutant, which
 * takes milliseconds where a test framework takes a second to start.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type CompleteDryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import type * as Battery from './battery.ts'
import type { GatheredTest } from './vitest-stand-in.ts'

const context = ((globalThis as Record<string, unknown>)[INSTRUMENTER_CONSTANTS.NAMESPACE] ??=
  {}) as InstrumenterContext

class JudgeRunner implements TestRunner {
  #loaded: Promise<{ tests: readonly GatheredTest[]; forget: () => void }> | undefined

  /** A mutant that acts while a module is loaded needs a fresh process. */
  capabilities() {
    return { reloadEnvironment: false }
  }

  async dryRun(): Promise<CompleteDryRunResult> {
    const tests = await this.#run(undefined, false)
    return { status: DryRunStatus.Complete, tests, ...coverage() }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter } = options
    // Ten times as often as the unchanged code comes here: Stryker's own hundred takes a minute to be reached.
    const hitLimit = options.hitLimit && options.hitLimit / 10
    Object.assign(context, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    const filter = testFilter && new Set(testFilter)
    const tests = await this.#run(filter, true)
    const endless = determineHitLimitReached(context.hitCount, hitLimit)
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests })
  }

  /** `bail`: up to the first that fails. */
  async #run(filter: ReadonlySet<string> | undefined, bail: boolean): Promise<TestResult[]> {
    const { tests, forget } = await (this.#loaded ??= load())
    forget()
    const results: TestResult[] = []
    for (const test of tests.filter(({ id }) => filter?.has(id) ?? true)) {
      const result = await resultOf(test)
      results.push(result)
      if (bail && result.status === TestStatus.Failed) break
    }
    return results
  }
}

/** From the copy of the project that the process runs in, not from beside this file. */
async function load() {
  const url = pathToFileURL(resolve('lab/mutation/battery.ts')).href
  const { battery, forget } = (await import(url)) as typeof Battery
  return { tests: await battery(), forget }
}

async function resultOf({ id, run }: GatheredTest): Promise<TestResult> {
  context.currentTestId = id
  const began = performance.now()
  const about = () => ({ id, name: id, timeSpentMs: performance.now() - began })
  try {
    await run()
    return { ...about(), status: TestStatus.Success }
  } catch (thrown) {
    return { ...about(), status: TestStatus.Failed, failureMessage: String(thrown) }
  } finally {
    delete context.currentTestId
  }
}

/** A mutant that a test reaches too need not be there when modules are loaded, which would take a fresh process. */
function coverage(): Pick<CompleteDryRunResult, 'mutantCoverage'> {
  const { mutantCoverage } = context
  if (!mutantCoverage) return {}
  const reached = new Set(Object.values(mutantCoverage.perTest).flatMap((hits) => Object.keys(hits)))
  const loaded = Object.entries(mutantCoverage.static).filter(([id]) => !reached.has(id))
  return { mutantCoverage: { ...mutantCoverage, static: Object.fromEntries(loaded) } }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'judges', JudgeRunner)]
