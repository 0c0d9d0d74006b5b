/** Every clause that a run says something of: a list, and for each a page with its verdicts over time. */
import { areaOf, clauses } from '../../../spec/index.ts'
import type { ClauseId } from '../../../spec/index.ts'
import { html, noMarkup } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { wordTable } from '../../html/elements/table.ts'
import { counted, figure, lane, prose } from '../../html/elements/words.ts'
import { subjectOf } from '../../run/subject.ts'
import { stateOf } from '../clause-states.ts'
import { failingOf, stretchesOf, type Failing, type Stretch } from '../clause-history.ts'
import { judgedClausesOf } from '../failing-clauses.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import { clauseLinkFrom, day, runLink, stateWords, targetName } from '../phrases.ts'
import { clauseStrip } from '../pictures/strip.ts'
import { allEntries, type RunsSite } from '../site.ts'
import { byVersion, type TargetHistory } from '../targets.ts'

export function clausesPage(site: RunsSite): SiteFile {
  const judged = Map.groupBy(judgedClausesOf(allEntries(site)), (clause) => areaOf[clause])
  return sitePageOf(site, {
    file: 'clauses.html',
    title: 'Clauses',
    content:
      judged.size === 0
        ? html`<p>No run that counts judged a clause.</p>`
        : [...judged].map(([area, own]) => lane(area, area, [tableOf(site, own)])),
  })
}

/** The newest verdict of each target, of the newest version that judged the clause. */
function tableOf({ targets }: RunsSite, own: readonly ClauseId[]): Markup {
  return wordTable(
    'Newest verdict by target',
    ['clause', ...targets.map(({ name, kind }) => `${targetName(name)} (${kind})`)],
    own.map((clause) => ({
      head: html`${clauseLinkFrom(clause, '')} <span class="soft">${clauses[clause].level}</span>`,
      cells: targets.map((target) => newestVerdict(target, clause)),
    })),
  )
}

function newestVerdict(target: TargetHistory, clause: ClauseId): Markup {
  const newest = byVersion(target).findLast(({ states }) => stateOf(states, clause) !== '-')
  return stateWords(newest === undefined ? '-' : stateOf(newest.states, clause))
}

export function clausePage(site: RunsSite, clause: ClauseId): SiteFile {
  const { text, source } = subjectOf(clause)
  const judging = site.targets.filter(({ entries }) => judgedClausesIn(entries, clause))
  return sitePageOf(site, {
    file: `clauses/${clause}.html`,
    title: clause,
    content: [
      html`<p>${prose(text)}</p>
        <p class="soft">${clauses[clause].level.toUpperCase()} clause, ${source}</p>`,
      judging.map((target, index) => overTime(target, clause, index)),
    ],
  })
}

function judgedClausesIn(entries: TargetHistory['entries'], clause: ClauseId): boolean {
  return entries.some(({ states }) => stateOf(states, clause) !== '-')
}

const mostStretches = 100

function overTime(target: TargetHistory, clause: ClauseId, index: number): Markup {
  const { name, kind, file, entries } = target
  const stretches = stretchesOf(byVersion(target), clause)
  const failing = failingOf(target, clause)
  const spoken = stretches.filter(({ state }) => state !== '-')
  return lane(`target-${index + 1}`, targetName(name), [
    html`<p class="soft"><a href="../targets/${file}.html">${kind}</a></p>`,
    html`<p>${failing === null ? 'It does not fail.' : sinceWhen(failing)}</p>`,
    figure(
      clauseStrip(stretches, stripWords(spoken), `strip-${index + 1}`),
      `Each run, from the oldest version to the newest (${entries.length})`,
    ),
    wordTable(
      spoken.length > mostStretches ? `The newest ${mostStretches} of ${spoken.length}` : 'The newest first',
      ['verdict', 'from', 'to', 'runs'],
      spoken
        .slice(-mostStretches)
        .toReversed()
        .map(({ state, from, to, runs }) => ({
          head: stateWords(state),
          cells: [
            html`${runLink(from, from.version, '../')}, ${day(from.endedAt)}`,
            html`${runLink(to, to.version, '../')}, ${day(to.endedAt)}`,
            counted(runs, 'run'),
          ],
        })),
    ),
  ])
}

function sinceWhen({ since, lastGood, waived }: Failing): Hole {
  const good =
    lastGood === null
      ? 'no run before it passed'
      : html`last good version ${runLink(lastGood, lastGood.version, '../')}`
  return html`<strong>First bad version: ${runLink(since, since.version, '../')}</strong>,
    ${day(since.endedAt)}; ${good}. ${waived ? 'The failure is waived.' : noMarkup}`
}

function stripWords(spoken: readonly Stretch[]): string {
  const changes = spoken.length - 1
  return changes === 0 ? 'The verdict never changed.' : `The verdict changed ${counted(changes, 'time')}.`
}
