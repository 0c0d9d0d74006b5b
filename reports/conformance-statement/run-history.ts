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
  const later = laterIn(history)
  const earlier = discarded.filter((one) => !later.includes(one))
  return [
    html`<p>${prose(countWords(history, version))}</p>`,
    discarded.length === 0
      ? html``
      : list([...outcomeLines(earlier, 'run'), ...outcomeLines(later, 'later run')]),
    html`<p>
      Runs that were started without the log are not in it. Entries missing at its end are seen only by
      comparison with a head that was published elsewhere. It was read up to
      ${heads.map(({ entries, sha256 }) => html`${counted(entries, 'entry', 'entries')}, SHA-256 <code>${sha256}</code>. `)}
    </p>`,
  ]
}

/** Those that began after the run that was handed over: the reader may ask why it is not one of them. */
export function laterIn({ handedOver, discarded }: RunHistory): readonly LoggedRun[] {
  const newest = Math.max(...handedOver.map(({ startedAt }) => Date.parse(startedAt)))
  return discarded.filter(({ startedAt }) => Date.parse(startedAt) > newest)
}

function outcomeLines(runs: readonly LoggedRun[], noun: string): readonly Markup[] {
  return outcomesIn(runs).map(([words, number]) => prose(`${counted(number, noun)}: ${words}`))
}

/** Such as `The log has 5 runs of acme 4.2.1 since 2026-11-20 09:00:00 UTC. This is the 5th; 4 were discarded:` */
function countWords(history: RunHistory, version: string): string {
  const { handedOver, discarded } = history
  const all = [...handedOver, ...discarded].toSorted(byStart)
  const since = clockTime(all[0]?.startedAt ?? '').replace(/\.\d+/, '')
  const runs = `The log has ${counted(all.length, 'run')} of ${version} since ${since}.`
  const numbers = handedOver.map((one) => all.indexOf(one) + 1)
  const stated =
    numbers.length === 1
      ? `This statement is about run ${numbers[0]}`
      : `This statement is about the shards of runs ${numbers.join(', ')}`
  return `${runs} ${stated}; ${discardedWords(discarded.length, laterIn(history).length)}`
}

function discardedWords(discarded: number, later: number): string {
  if (discarded === 0) return 'none was discarded.'
  const words = `${discarded} ${discarded === 1 ? 'was' : 'were'} discarded`
  return later === 0 ? `${words}:` : `${words}, ${later} of them later than it:`
}

const byStart = (one: LoggedRun, other: LoggedRun): number =>
  Date.parse(one.startedAt) - Date.parse(other.startedAt)

/** The same for tools. */
export function historyData(history: StatedHistory) {
  const { handedOver, discarded, heads } = history
  const later = laterIn(history)
  return {
    runs: handedOver.length + discarded.length,
    discarded: discarded.length,
    /** Of the discarded, those that began after the run that is stated. */
    later: later.length,
    discardedOutcomes: Object.fromEntries(outcomesIn(discarded)),
    laterOutcomes: Object.fromEntries(outcomesIn(later)),
    heads,
  }
}
