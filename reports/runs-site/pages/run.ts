/** A run: its answers, what was verified, and what changed since the run before it that had the same plan. */
import { amount } from '../../chart/wording.ts'
import { clockTime, duration } from '../../duration.ts'
import type { Comparison } from '../../diff/index.ts'
import { changesMarkup } from '../../diff/page.ts'
import { html, noMarkup } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { counted, lane, pairs } from '../../html/elements/words.ts'
import { banner } from '../../html/sections/banners.ts'
import { stateOf } from '../clause-states.ts'
import type { RunEntry } from '../entry.ts'
import { mustFailuresOf } from '../failing-clauses.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import {
  clauseLinkFrom,
  conformanceOf,
  gateWord,
  shortName,
  shortReason,
  targetName,
  reservations,
  runLink,
  stateWords,
  targetLink,
} from '../phrases.ts'
import type { RunsSite } from '../site.ts'
import { fromFile, runFileOf, type TargetHistory } from '../targets.ts'

const up = '../'

/** What changed since an earlier run. */
export interface ChangesSince {
  entry: RunEntry
  comparison: Comparison
}

/** `since`: null of the first run of its kind. */
export function runPage(
  site: RunsSite,
  target: TargetHistory,
  entry: RunEntry,
  since: ChangesSince | null,
): SiteFile {
  return sitePageOf(site, {
    file: `runs/${runFileOf(entry)}.html`,
    title: `${targetName(entry.target.name)} ${shortName(entry.version)}`,
    content: [
      html`<p class="soft">Run of ${clockTime(entry.endedAt)}, ${targetLink(target, up)}</p>`,
      notes(entry),
      pairs(facts(entry), 'pairs long'),
      failures(entry),
      since === null
        ? html`<p>There is no earlier run with the same profile and selection to compare with.</p>`
        : changes(since),
      around(target, entry),
    ],
  })
}

function notes(entry: RunEntry): Markup {
  const words = reservations(entry)
  if (words === '') return noMarkup
  return banner(
    'Read with care.',
    `${words}${entry.inPart === null ? '' : `: ${shortReason(entry.inPart)}`}.`,
  )
}

function facts(entry: RunEntry): readonly (readonly [string, Hole])[] {
  const { used, contract, signedBy } = entry
  return [
    ['conformance', conformanceOf(entry)],
    ['gate', gateWord(entry)],
    [
      'clause set',
      html`${contract.revision}${contract.base === null ? '' : `, ${fromFile(contract.base)}`}, SHA-256
        <code>${contract.digest}</code>`,
    ],
    ['judged by', entry.tool],
    ['run', html`<code>${entry.id}</code>`],
    ['bundle', html`<code>${entry.place}</code>, SHA-256 of run.json <code>${entry.digest}</code>`],
    ['signature', signedBy === null ? 'not checked' : html`verified, key id <code>${signedBy}</code>`],
    ['started', clockTime(entry.startedAt)],
    ['duration', duration(used.wallSeconds)],
    [
      'cost',
      `${counted(used.requests, 'request')}, ${counted(used.turns, 'turn')}, ${amount(used.credits)} credits`,
    ],
    ['waived', counted(entry.waived.length, 'check')],
  ]
}

function failures(entry: RunEntry): Markup {
  const failed = mustFailuresOf(entry)
  if (failed.length === 0) return noMarkup
  return lane('failures', 'MUST clauses that fail', [
    html`<ul>
      ${failed.map(
        (clause) => html`<li>${clauseLinkFrom(clause, up)} ${stateWords(stateOf(entry.states, clause))}</li>`,
      )}
    </ul>`,
  ])
}

function changes({ entry, comparison }: ChangesSince): Markup {
  const title = html`${runLink(entry, `${entry.version}, ${clockTime(entry.endedAt)}`, up)}`
  return lane('changes', 'What changed', [html`<p>Since ${title}</p>`, changesMarkup(comparison)])
}

function around({ entries }: TargetHistory, entry: RunEntry): Markup {
  const at = entries.indexOf(entry)
  const [earlier, later] = [entries[at - 1], entries[at + 1]]
  return html`<p>
    ${earlier ? html`Run before: ${runLink(earlier, earlier.version, up)}.` : noMarkup}
    ${later ? html`Next run: ${runLink(later, later.version, up)}.` : noMarkup}
  </p>`
}
