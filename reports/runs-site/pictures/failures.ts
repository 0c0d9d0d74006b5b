/** How many MUST clauses fail in each run of a target, and how many of them the policy waives. */
import { clauseIds } from '../../../spec/index.ts'
import { countedAmount } from '../../chart/wording.ts'
import type { Markup } from '../../html/elements/escape.ts'
import { stateOf, type ClauseState } from '../clause-states.ts'
import type { RunEntry } from '../entry.ts'
import { overRuns } from './over-runs.ts'

export function failuresPicture(entries: readonly RunEntry[], prefix: string): Markup {
  const [failed, waived] = [entries.map(countOf('f', 'v')), entries.map(countOf('v'))]
  const [first = 0, last = 0] = [failed[0], failed.at(-1)]
  const inFirst = `${countedAmount(first, 'MUST clause')} failed in the`
  return overRuns({
    prefix,
    title: 'MUST clauses that fail, by run',
    says:
      failed.length === 1
        ? `${inFirst} only run.`
        : `${inFirst} first run, ${last} in the newest; at most ${Math.max(...failed)} in one run.`,
    lines: [
      { name: 'MUST clauses that fail', values: failed },
      ...(waived.some((count) => count > 0) ? [{ name: 'of those, waived', values: waived }] : []),
    ],
    entries,
  })
}

function countOf(...states: readonly ClauseState[]) {
  return (entry: RunEntry): number =>
    clauseIds.filter((clause) => states.includes(stateOf(entry.states, clause))).length
}
