/** What changed since an earlier run: first whether the two can be compared, then what got worse, then the rest. */
import type { Change, Comparison } from '../../diff/compare.ts'
import { kindWords } from '../../diff/kinds.ts'
import type { ChangeKind } from '../../diff/kinds.ts'
import { changedAnswerOf, byKind, cautions, countsOf, fieldsOf, sideWords, stepOf } from '../../diff/words.ts'
import { shorten } from '../../visible.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { clauseLink, folded, list, prose, signed } from '../elements/words.ts'

const mostRows = 60
const mostText = 200

/** `command`: the one that makes such runs. */
export function howToCompare(command: string): Markup {
  return html`<p>
    This run was not compared with an earlier one: <code>touchstone ${command} … --since FOLDER</code> does
    it, where <code>FOLDER</code> is that of the earlier run.
  </p>`
}

export function changesPart(comparison: Comparison): readonly Markup[] {
  const { sign, words, tone } = changedAnswerOf(comparison)
  return [
    html`<p class="said">${signed(sign, words, tone)}: ${countsOf(comparison)}.</p>
      <p class="soft">Compared with ${sideWords(comparison.before)}.</p>`,
    ...cautions(comparison).map((caution) => html`<p>${caution}</p>`),
    differences(comparison),
    ...byKind(comparison).map(([kind, found]) => groupOf(kind, found)),
  ]
}

/** What has to be the same, where it is not. */
function differences({ comparable }: Comparison): Markup {
  const other = comparable.filter(({ same }) => !same)
  if (other.length === 0)
    return html`<p class="soft">Both runs used the same contract, profile and target settings.</p>`
  const lines = other.map(
    ({ what, before, after, means = 'not the same' }) =>
      html`${what}: ${before}, now ${after}; ${prose(means)}`,
  )
  return html`<p>These differences may explain different results:</p>
    ${list(lines)}`
}

/** What stops a gate stands open, the rest is folded. */
function groupOf(kind: ChangeKind, found: readonly Change[]): Markup {
  const { weight, sign, word, tone, means } = kindWords[kind]
  const rest = found.length - mostRows
  const more = rest > 0 ? html`<p class="soft">${rest} more: see changes.json.</p>` : noMarkup
  const head = html`${signed(sign, word, tone)} ${found.length}: ${means}`
  const caption = weight === 'none' ? word : head
  const rows = found.slice(0, mostRows).map(row)
  const table = html`${wordTable(caption, ['clause', 'change', 'details'], rows)}${more}`
  return weight === 'none' ? folded(head, table) : table
}

function row(change: Change) {
  const { check, subject, after } = change
  const id = after ? clauseLink(subject) : html`<code>${subject}</code>`
  const said = fieldsOf(change).map(([name, value]) => {
    const short = shorten(value, mostText)
    return html`${name}: ${prose(short)}`
  })
  return {
    head: html`${id}<br /><span class="soft">${check}</span>`,
    cells: [html`<span class="step">${stepOf(change)}</span>`, said.length > 1 ? list(said) : said],
  }
}
