/** Waivers, and how long they have stood. */
import { html } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { wordTable, type TableRow } from '../../html/elements/table.ts'
import { counted, lane, prose, webLink } from '../../html/elements/words.ts'
import { isClause } from '../../verdicts/rows.ts'
import { daysLeft } from '../../verdicts/standing.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import { clauseLinkFrom, day, shortName, shortReason, runLink, targetLink } from '../phrases.ts'
import type { RunsSite } from '../site.ts'
import { daysOf, waiversOf, type StandingWaiver } from '../standing-waivers.ts'
import type { TargetHistory } from '../targets.ts'

export function waiversPage(site: RunsSite): SiteFile {
  return sitePageOf(site, {
    file: 'waivers.html',
    title: 'Waivers',
    content: [
      html`<p>A waived failure passes the gate of a run and stays a failure.</p>`,
      waiverTable(site.targets, '', site.builtAt),
      ended(site.targets),
    ],
  })
}

type Waived = readonly [target: TargetHistory, waiver: StandingWaiver]

const waivedIn = (targets: readonly TargetHistory[]): readonly Waived[] =>
  targets.flatMap((target) => waiversOf(target).map((waiver) => [target, waiver] as const))

/** Those that stand: the one that has stood longest comes first. */
export function waiverTable(targets: readonly TargetHistory[], up: string, builtAt: string): Markup {
  const standing = waivedIn(targets)
    .filter(([, { ended: end }]) => end === null)
    .toSorted(([, one], [, other]) => Date.parse(one.since.endedAt) - Date.parse(other.since.endedAt))
  if (standing.length === 0) return html`<p>No waiver stands.</p>`
  return wordTable(
    'It stands from the first run that used it until one of the same checks, or a whole run, did without it. Days left are counted from the day on which these pages were built.',
    ['check', 'target', 'stands since', 'for', 'owner', 'expires', 'reason'],
    standing.map((one) => row(one, up, builtAt)),
  )
}

function row(
  [target, { check, subject, waiver, since, runs }]: Waived,
  up: string,
  builtAt: string,
): TableRow {
  return {
    head: checkOf(check, subject, up),
    cells: [
      targetLink(target, up),
      html`${runLink(since, since.version, up)}, ${day(since.endedAt)}`,
      `${counted(daysOf(runs), 'day')}, ${counted(runs.length, 'run')}`,
      shortName(waiver.owner),
      html`${waiver.expires}, <strong>${daysLeft(waiver.expires, builtAt)}</strong>`,
      [
        prose(shortReason(waiver.reason)),
        waiver.issue === undefined ? '' : [' ', webLink(waiver.issue, shortName(waiver.issue))],
      ],
    ],
  }
}

function checkOf(check: string, subject: string, up: string): Hole {
  const clause = isClause(subject) ? clauseLinkFrom(subject, up) : html`<code>${shortName(subject)}</code>`
  return html`${clause}<br /><span class="soft">${check}</span>`
}

const mostEnded = 100

function ended(targets: readonly TargetHistory[]): Markup {
  const all = waivedIn(targets).flatMap(([target, one]) =>
    one.ended === null ? [] : [{ target, one, end: one.ended }],
  )
  if (all.length === 0) return html``
  const newest = all.toSorted((one, other) => Date.parse(other.end.endedAt) - Date.parse(one.end.endedAt))
  const rest = all.length - mostEnded
  return lane('ended', 'Waivers that ended', [
    wordTable(
      rest > 0 ? `The newest ${mostEnded} of ${all.length}` : 'The newest first',
      ['check', 'target', 'stood for', 'not used any more since'],
      newest.slice(0, mostEnded).map(({ target, one, end }) => ({
        head: checkOf(one.check, one.subject, ''),
        cells: [
          targetLink(target, ''),
          `${counted(daysOf([...one.runs, end]), 'day')}, ${counted(one.runs.length, 'run')}`,
          html`${runLink(end, end.version, '')}, ${day(end.endedAt)}`,
        ],
      })),
    ),
  ])
}
