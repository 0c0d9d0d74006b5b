/** The newest versions of a target beside each other: any of them can be picked, and the others disappear. */
import { clauses } from '../../../spec/index.ts'
import type { ClauseId } from '../../../spec/index.ts'
import { html } from '../../html/elements/escape.ts'
import type { Markup } from '../../html/elements/escape.ts'
import { counted } from '../../html/elements/words.ts'
import { stateOf } from '../clause-states.ts'
import type { RunEntry } from '../entry.ts'
import { judgedClausesOf } from '../failing-clauses.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import { clauseLinkFrom, day, shortName, runLink, stateWords, targetName } from '../phrases.ts'
import type { RunsSite } from '../site.ts'
import { clauseSetLabel, type TargetHistory } from '../targets.ts'

/** More would make a page of several megabytes. */
const mostVersions = 40

export function comparePage(site: RunsSite, target: TargetHistory): SiteFile {
  const all = target.versions
  const shown = all.slice(-mostVersions).map(({ newest }) => newest)
  const judged = judgedClausesOf(shown)
  const differing = judged.filter(
    (clause) => new Set(shown.map(({ states }) => stateOf(states, clause))).size > 1,
  )
  const older = all.length - shown.length
  return sitePageOf(site, {
    file: `compare/${target.file}.html`,
    title: `Compare versions of ${targetName(target.name)}`,
    style: pickStyle(shown.length),
    content: [
      html`<p><a href="../targets/${target.file}.html">${targetName(target.name)}</a></p>`,
      older > 0
        ? html`<p>
            The newest ${shown.length} versions. Compare ${older} older ones with
            <code>touchstone diff EARLIER LATER</code>.
          </p>`
        : html``,
      picks(shown),
      tableOf(shown, differing),
      html`<p>
        ${counted(judged.length - differing.length, 'clause')} with one verdict in all of these versions: not
        listed.
      </p>`,
    ],
  })
}

/** Without a script: a column is hidden if some are picked and it is not. */
function pickStyle(columns: number): string {
  const pick = Array.from(
    { length: columns },
    (_, index) => `.pick:has(#pick-${index}:checked)~.scroll .c${index}{display:table-cell}`,
  )
  return `.pick:has(:checked)~.scroll :is(th,td):not(:first-child){display:none}\n${pick.join('\n')}\n`
}

function picks(shown: readonly RunEntry[]): Markup {
  return html`<fieldset class="pick">
    <legend>Show only these versions</legend>
    ${shown.map(
      ({ version }, index) =>
        html`<label><input type="checkbox" id="pick-${index}" /> ${shortName(version)}</label> `,
    )}
  </fieldset>`
}

function tableOf(shown: readonly RunEntry[], differing: readonly ClauseId[]): Markup {
  return html`<p id="differing">Clauses whose verdict is not the same in all of these versions:</p>
    <div class="scroll" role="region" aria-labelledby="differing" tabindex="0">
      <table class="compared" aria-labelledby="differing">
        <thead>
          <tr>
            <th scope="col">clause</th>
            ${shown.map((entry, index) => html`<th scope="col" class="c${index}">${head(entry)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${differing.map((clause) => rowOf(clause, shown))}
        </tbody>
      </table>
    </div>`
}

function head(entry: RunEntry): Markup {
  return html`${runLink(entry, entry.version, '../')}<br /><span class="soft"
      >${day(entry.endedAt)}<br />${clauseSetLabel(entry)}</span
    >`
}

function rowOf(clause: ClauseId, shown: readonly RunEntry[]): Markup {
  return html`<tr>
    <th scope="row">${clauseLinkFrom(clause, '../')} <span class="soft">${clauses[clause].level}</span></th>
    ${shown.map(
      ({ states }, index) => html`<td class="c${index}">${stateWords(stateOf(states, clause))}</td>`,
    )}
  </tr>`
}
