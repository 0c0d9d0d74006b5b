/** What `check` prints around a run: nothing before its target is known to be right, then what would change it. */
import { ownCommand } from '../../reports/bundle/own-command.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { quote } from '../../reports/bundle/curl.ts'
import type { Target } from '../../suites/config/target.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import type { Reporter } from './progress.ts'

type Planned = Extract<Progress, { is: 'planned' }>

/** Holds the plan back until the first scenario, so that an error of the configuration stands alone. */
export function fromFirstScenario(reporter: Reporter, begins: (planned: Planned) => void): Reporter {
  let held: Planned | null = null
  return {
    end: () => reporter.end(),
    on(progress) {
      if (progress.is === 'planned') held = progress
      else if (held === null) reporter.on(progress)
      else if (progress.is === 'scenario') {
        reporter.on(held)
        begins(held)
        held = null
        reporter.on(progress)
      }
    },
  }
}

/** What would make a run on a real clock faster or more complete; empty if it takes a minute. */
export function waysToSpeedUp({ opening, planned }: Planned, keys: number): string {
  const { budgets, target, run } = opening
  const isSlow = pacedCeiling(planned.scenarios) > budgets.requestsPerMinute * keys
  if (!isSlow || !['staging', 'production'].includes(target.kind)) return ''
  const faster = run.profile === 'smoke' ? '' : '`--profile smoke`, '
  return `Faster: ${faster}more keys (\`pool\`) or a higher \`budgets.requestsPerMinute\` in a target file.`
}

/**
 * The command for the checks that a smoke run of a bare URL leaves out, or null. Without their number: most of them need
 * what only a target file can declare.
 */
export function restOf({ plan, run }: RunRecord, target: Target): string | null {
  const { arguments: named = [] } = target
  const isWhole = !plan.leftOut.some(({ by, checks }) => by === 'profile' && checks.length > 0)
  if (run.profile !== 'smoke' || named[0] !== '--base-url' || isWhole) return null
  const words = ['check', ...named, '--profile', 'standard']
  return `More checks: ${ownCommand} ${words.map((word) => quote(Buffer.from(word))).join(' ')}`
}
