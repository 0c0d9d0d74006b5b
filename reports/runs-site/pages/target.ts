/** A target: its versions, what fails and since when, its waivers, its cost, every run. */
import { amount, countedAmount } from '../../chart/wording.ts'
import { span } from '../../chart/time.ts'
import { clockTime, duration } from '../../duration.ts'
import { html, noMarkup } from '../../html/elements/escape.ts'
import type { Markup } from '../../html/elements/escape.ts'
import { wordTable } from '../../html/elements/table.ts'
import { counted, figure, lane, list } from '../../html/elements/words.ts'
import { banner } from '../../html/sections/banners.ts'
import { clauses } from '../../../spec/index.ts'
import { failingClausesOf } from '../failing-clauses.ts'
import type { RunEntry } from '../entry.ts'
import { loggedVersions, loggedWords } from '../logged.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import {
  clauseLinkFrom,
  conformanceOf,
  day,
  gateWord,
  shortName,
  reserved,
  runLink,
  targetName,
} from '../phrases.ts'
import { failuresPicture } from '../pictures/failures.ts'
import { overRuns } from '../pictures/over-runs.ts'
import type { RunsSite } from '../site.ts'
import { byVersion, clauseSetLabel, type TargetHistory } from '../targets.ts'
import { versionTable } from './versions.ts'
import { waiverTable } from './waivers.ts'

const up = '../'

export function targetHistoryPage(site: RunsSite, target: TargetHistory): SiteFile {
  const { entries, file, name, kind } = target
  return sitePageOf(site, {
    file: `targets/${file}.html`,
    title: targetName(name),
    content: [
      html`<p class="soft">${kind}, ${counted(entries.length, 'run')}, last at ${address(entries)}</p>`,
      kind === 'simulator' ? banner('Simulator.', 'Its runs say nothing about a live service.') : noMarkup,
      html`<p><a href="../compare/${file}.html">Compare any two versions</a></p>`,
      figure(failuresPicture(byVersion(target), 'failures'), 'MUST clauses that fail, in each run'),
      lane('failing', 'What fails, and since when', [failing(target)]),
      lane('waivers', 'Waivers', [waiverTable([target], up, site.builtAt)]),
      lane('cost', 'Duration and cost', costs(byVersion(target))),
      lane('versions', 'Versions', versions(site, target)),
      lane('runs', 'Runs', [runs(entries)]),
    ],
  })
}

function versions(site: RunsSite, target: TargetHistory): readonly Markup[] {
  const all = target.versions
  const logged = loggedVersions(site, target)
  const known = new Set(all.map(({ version }) => version))
  const others = [...(logged ?? [])].filter(([version]) => !known.has(version))
  return [
    versionTable(all, logged, up),
    others.length === 0
      ? noMarkup
      : html`<p>In the log, without a run that counts:</p>
          ${list(others.map(([version, history]) => `${shortName(version)}: ${loggedWords(history)}`))}`,
  ]
}

const address = (entries: readonly RunEntry[]): string => shortName(entries.at(-1)?.target.baseUrl ?? '')

function failing(target: TargetHistory): Markup {
  const rows = failingClausesOf(target)
  if (rows.length === 0) return html`<p>No clause fails.</p>`
  return wordTable(
    'The first bad version is that of the first run since the last pass in which the clause fails. Versions are in the order of their first run.',
    ['clause', 'level', 'first bad version', 'last good version', 'waived'],
    rows.map(({ clause, failing: { since, lastGood, waived } }) => ({
      head: clauseLinkFrom(clause, up),
      cells: [
        clauses[clause].level,
        html`${runLink(since, since.version, up)}, ${day(since.endedAt)}`,
        lastGood === null
          ? 'never passed'
          : html`${runLink(lastGood, lastGood.version, up)}, ${day(lastGood.endedAt)}`,
        waived ? 'yes' : 'no',
      ],
    })),
  )
}

const measures = [
  {
    name: 'duration',
    of: ({ used }: RunEntry) => used.wallSeconds,
    words: (value: number) => span(value * 1000),
  },
  { name: 'requests', of: ({ used }: RunEntry) => used.requests, words: amount },
  { name: 'turns', of: ({ used }: RunEntry) => used.turns, words: amount },
  { name: 'credits', of: ({ used }: RunEntry) => used.credits, words: amount },
] as const

function costOf({ used }: RunEntry): string {
  const { wallSeconds, requests, turns, credits } = used
  const spent = [
    countedAmount(requests, 'request'),
    countedAmount(turns, 'turn'),
    countedAmount(credits, 'credit'),
  ]
  return `The only run took ${span(wallSeconds * 1000)}, ${spent.slice(0, 2).join(', ')} and ${spent[2]}.`
}

/** Of one run there is no course to draw. */
function costs(entries: readonly RunEntry[]): readonly Markup[] {
  const [only, ...others] = entries
  if (only && others.length === 0) return [html`<p>${costOf(only)}</p>`]
  return measures.map(({ name, of, words }) => {
    const values = entries.map(of)
    const total = values.reduce((sum, value) => sum + value, 0)
    const says = `From ${words(Math.min(...values))} to ${words(Math.max(...values))} a run, ${words(total)} in ${countedAmount(entries.length, 'run')}; ${words(values.at(-1) ?? 0)} in the newest.`
    const title = name === 'duration' ? 'duration in seconds' : name
    return figure(
      overRuns({ prefix: `cost-${name}`, title, says, lines: [{ name, values }], entries }),
      `${title.charAt(0).toUpperCase()}${title.slice(1)} of each run`,
    )
  })
}

function runs(entries: readonly RunEntry[]): Markup {
  return wordTable(
    'The newest first',
    ['run', 'version', 'clause set', 'conformance', 'gate', 'duration', 'requests', 'credits'],
    entries.toReversed().map((entry) => ({
      head: runLink(entry, clockTime(entry.endedAt), up),
      cells: [
        shortName(entry.version),
        clauseSetLabel(entry),
        html`${conformanceOf(entry)}${reserved(entry)}`,
        gateWord(entry),
        duration(entry.used.wallSeconds),
        amount(entry.used.requests),
        amount(entry.used.credits),
      ],
    })),
  )
}
