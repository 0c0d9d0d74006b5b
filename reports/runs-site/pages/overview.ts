/** The first page: every target with its newest result in each clause set, and its versions. */
import { clockTime } from '../../duration.ts'
import { html } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { wordTable, type TableRow } from '../../html/elements/table.ts'
import { counted, figure, lane } from '../../html/elements/words.ts'
import { failingOf } from '../clause-history.ts'
import { mustFailuresOf } from '../failing-clauses.ts'
import { loggedVersions } from '../logged.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import {
  conformanceOf,
  day,
  gateWord,
  shortName,
  reserved,
  runLink,
  targetLink,
  targetName,
} from '../phrases.ts'
import { failuresPicture } from '../pictures/failures.ts'
import { allEntries, type RunsSite } from '../site.ts'
import { waiversOf } from '../standing-waivers.ts'
import { byVersion, underClauseSet, type TargetHistory } from '../targets.ts'
import type { RunEntry } from '../entry.ts'
import { versionTable } from './versions.ts'

export function overviewPage(site: RunsSite): SiteFile {
  return sitePageOf(site, {
    file: 'index.html',
    title: 'Conformance over time',
    content: [
      facts(site),
      site.targets.length === 0 ? nothingCounts(site) : newest(site),
      site.targets.map((target, index) => versions(site, target, index)),
    ],
  })
}

function facts(site: RunsSite): Markup {
  const entries = allEntries(site)
  const standing = site.targets.flatMap((target) => waiversOf(target)).filter(({ ended }) => ended === null)
  const rows: readonly (readonly [name: string, value: Hole])[] = [
    ['runs that count', entries.length],
    [
      'not counted',
      site.notCounted.length === 0 ? 0 : html`<a href="not-counted.html">${site.notCounted.length}</a>`,
    ],
    ['targets', site.targets.length],
    ['versions', site.targets.reduce((sum, target) => sum + target.versions.length, 0)],
    ['keys of signers', site.keys.length === 0 ? 'none' : site.keys.length],
    ['waivers that stand', standing.length === 0 ? 0 : html`<a href="waivers.html">${standing.length}</a>`],
  ]
  return html`<dl class="facts coverage">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="verdict">${value}</dd>
        </div>`,
    )}
  </dl>`
}

function nothingCounts({ notCounted }: RunsSite): Markup {
  return notCounted.length === 0
    ? html`<p>There is no run in the folder.</p>`
    : html`<p>No run counts: see <a href="not-counted.html">why</a>.</p>`
}

const columns = [
  'target, clause set',
  'version',
  'conformance',
  'gate',
  'MUST clauses that fail',
  'first bad version of those',
  'run',
] as const

function newest({ targets }: RunsSite): Markup {
  return wordTable(
    'Newest result of each target and clause set. Versions are in the order of their first run.',
    columns,
    targets.flatMap(newestOf),
  )
}

function newestOf(target: TargetHistory): readonly TableRow[] {
  const newestBySet = new Map(target.versions.flatMap(({ bySet }) => [...bySet]))
  return [...newestBySet].map(([set, entry]) => ({
    head: html`${targetLink(target, '')}<br /><span class="soft">${set}</span>`,
    cells: [
      shortName(entry.version),
      html`${conformanceOf(entry)}${reserved(entry)}`,
      gateWord(entry),
      mustFailuresOf(entry).length,
      firstBad(underClauseSet(target, set), entry),
      runLink(entry, clockTime(entry.endedAt), ''),
    ],
  }))
}

/** The version in which the oldest of the failures of the run began. */
function firstBad(target: TargetHistory, entry: RunEntry): Hole {
  const began = new Set(mustFailuresOf(entry).map((clause) => failingOf(target, clause)?.since))
  const since = byVersion(target).find((one) => began.has(one))
  if (since === undefined) return 'none'
  const { file } = target
  return html`<a href="targets/${file}.html#failing">${shortName(since.version)}</a>, ${day(since.endedAt)}`
}

const mostVersions = 8

function versions(site: RunsSite, target: TargetHistory, index: number): Markup {
  const { entries, file } = target
  const all = target.versions
  return lane(`target-${index + 1}`, targetName(target.name), [
    html`<p class="soft">
      ${target.kind}, ${counted(entries.length, 'run')}, ${counted(all.length, 'version')}
    </p>`,
    figure(
      failuresPicture(byVersion(target), `failures-${index + 1}`),
      'MUST clauses that fail, in each run',
    ),
    versionTable(all.slice(-mostVersions), loggedVersions(site, target), ''),
    all.length > mostVersions
      ? html`<p>
          <a href="targets/${file}.html">All ${all.length} versions, every run, duration and cost</a>
        </p>`
      : html`<p><a href="targets/${file}.html">Every run, duration and cost</a></p>`,
  ])
}
