/** What changed, as a page. */
import { documentOf } from '../html/elements/document.ts'
import { html, noMarkup } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { wordTable } from '../html/elements/table.ts'
import { lane, list, pairs, prose } from '../html/elements/words.ts'
import { shorten } from '../visible.ts'
import type { Change, Comparison } from './compare.ts'
import { kindWords } from './kinds.ts'
import type { ChangeKind } from './kinds.ts'
import {
  changedAnswerOf,
  byKind,
  cautions,
  countsOf,
  fieldsOf,
  comparisonNotes,
  sideWords,
  simulatorWords,
  stepOf,
} from './words.ts'

const mostText = 600
/** Of a kind; who wants them all takes the JSON. */
const most = 200

export function renderDiffPage(comparison: Comparison): string {
  const { words } = changedAnswerOf(comparison)
  const body = html`${banner(simulatorWords(comparison))}
    <main>
      <h1>What changed: ${comparison.after.target}</h1>
      ${changesMarkup(comparison)}
    </main>`
  return documentOf(`${words}: ${comparison.after.target}`, body)
}

export function changesMarkup(comparison: Comparison): Markup {
  const { sign, words, tone } = changedAnswerOf(comparison)
  return html`${pairs([
      ['earlier', sideWords(comparison.before)],
      ['later', sideWords(comparison.after)],
    ])}
    <div class="answers">
      <div class="${tone}">
        <h2>Answer</h2>
        <strong>${sign} ${words}</strong>
        <p>${countsOf(comparison)}</p>
      </div>
    </div>
    ${cautions(comparison).map(banner)} ${comparability(comparison)}
    ${byKind(comparison).map(([kind, found]) => changesOf(kind, found))}`
}

function banner(words: string): Markup {
  return words === '' ? noMarkup : html`<p class="banner"><strong>${words}</strong></p> `
}

function comparability({ comparable }: Comparison): Markup {
  const isAlike = comparable.every(({ same }) => same)
  const caption = isAlike
    ? 'Both runs used the same contract, profile and target settings'
    : 'What differs here may be why verdicts differ'
  const differing = comparable.toSorted((one, other) => Number(one.same) - Number(other.same))
  const rows = differing.map(({ what, before, after, same, means }) => ({
    head: what,
    cells: [before, after, same ? '= the same' : prose(`≠ ${means ?? 'not the same'}`)],
  }))
  return lane('comparability', 'What the two runs share', [
    wordTable(caption, ['what', 'earlier', 'later', 'so'], rows),
  ])
}

function changesOf(kind: ChangeKind, found: readonly Change[]): Markup {
  const { sign, word, means, weight } = kindWords[kind]
  const isLoud = weight !== 'none' || kind === 'observed behaviour changed'
  const shown = found.slice(0, most)
  const rest = found.length - shown.length
  return lane(kind.replaceAll(' ', '-'), `${sign} ${word} (${found.length})`, [
    html`<p class="soft">${means}</p>`,
    ...(isLoud ? shown.map(card) : [list(shown.map(line))]),
    ...(rest > 0 ? [html`<p>and ${rest} more: see <code>--format json</code></p>`] : []),
  ])
}

function line(change: Change): Markup {
  return html`<code>${change.check}</code> ${stepOf(change)}
    <span class="soft">${comparisonNotes(change).join('; ')}</span>`
}

function card(change: Change): Markup {
  const fields = fieldsOf(change).map(([name, value]) => [name, shorten(value, mostText)] as const)
  return html`<article class="card">
    <h3>
      <span class="${kindWords[change.kind].tone}">${stepOf(change)}</span> <code>${change.check}</code>
    </h3>
    <p>${prose(change.about)} <span class="soft">${change.level}</span></p>
    ${pairs(fields)}
  </article> `
}
