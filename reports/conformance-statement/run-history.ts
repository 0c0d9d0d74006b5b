/** How often a version was run until it was stated: what the log of runs says, and what it cannot show. */
import { clockTime } from '../duration.ts'
import { html } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { counted, list, prose } from '../html/elements/words.ts'
import { outcomesIn, type LoggedRun, type RunHistory, type RunLogHead } from '../run-log/index.ts'

/** From logs that were verified. */
export interface StatedHistory extends RunHistory {
  /** Of the logs, as they were read. */
  heads: readonly RunLogHead[]
}

/** Null: no log was given. */
export function historyRows(history: StatedHistory | null, version: string): readonly Markup[] {
  if (history === null)
    return [html`<p>No log of runs was given, so this does not say how often the check was repeated.</p>`]
  const { discarded, heads } = history
  return [
    html`<p>${prose(countWords(history, version))}</p>`,
    discarded.length === 0
      ? html``
      : list(outcomesIn(discarded).map(([words, runs]) => prose(`${counted(runs, 'run')}: ${words}`))),
    html`<p>
      Runs that were started without the log are not in it. Entries missing at its end are seen only by
      comparison with a head that was published elsewhere. It was read up to
      ${heads.map(({ entries, sha256 }) => html`${counted(entries, 'entry', 'entries')}, SHA-256 <code>${sha256}</code>. `)}
    </p>`,
  ]
}

/** Such as `The log has 5 runs of acme 4.2.1 since 2026-11-20 09:00:00 UTC. This is the 5th; 4 were discarded:` */
function countWords({ handedOver, discarded }: RunHistory, version: string): string {
  const all = [...handedOver, ...discarded].toSorted(byStart)
  const since = clockTime(all[0]?.startedAt ?? '').replace(/\.\d+/, '')
  const runs = `The log has ${counted(all.length, 'run')} of ${version} since ${since}.`
  const numbers = handedOver.map((one) => all.indexOf(one) + 1)
  const stated =
    numbers.length === 1
      ? `This statement is about run ${numbers[0]}`
      : `This statement is about the shards of runs ${numbers.join(', ')}`
  return `${runs} ${stated}; ${discarded.length === 0 ? 'none was discarded.' : `${discarded.length} ${discarded.length === 1 ? 'was' : 'were'} discarded:`}`
}

const byStart = (one: LoggedRun, other: LoggedRun): number =>
  Date.parse(one.startedAt) - Date.parse(other.startedAt)

/** The same for tools. */
export function historyData({ handedOver, discarded, heads }: StatedHistory) {
  return {
    runs: handedOver.length + discarded.length,
    discarded: discarded.length,
    discardedOutcomes: Object.fromEntries(outcomesIn(discarded)),
    heads,
  }
}
