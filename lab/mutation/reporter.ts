/** Prints each surviving mutant as soon as it is known. */
import type { MutantResult } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import type { Reporter } from '@stryker-mutator/api/report'
import { survivorLine, survived } from './score.ts'

class SurvivorReporter implements Reporter {
  onMutantTested(result: Readonly<MutantResult>): void {
    if (survived(result)) console.log(survivorLine(result))
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorReporter)]
