/** Behaviour that the contract does not specify: no fault, but clients may notice. */
import type { Finding } from '../../bundle/record.ts'
import { subjectOf } from '../../run/subject.ts'
import { shorten } from '../../visible.ts'
import { allowanceOf, type Allowance } from './allowance.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { counted, folded, prose } from '../elements/words.ts'

const mostText = 300
const mostInShort = 40
/** Bytes. */
const mostOfAll = 150_000

export function observedPart(rows: readonly Finding[]): readonly Markup[] {
  const seen = rows.filter(({ verdict }) => verdict === 'observed')
  if (seen.length === 0) return [html`<p>Nothing was observed.</p>`]
  return [folded(`${counted(seen.length, 'observation')}, recorded and not judged`, observations(seen))]
}

function observations(seen: readonly Finding[]): Markup {
  const allows = allowanceOf(mostOfAll)
  return wordTable(
    'Observed behaviour',
    ['unspecified point', 'question', 'observed'],
    seen.map(({ subject, title, detail, got }) => ({
      head: html`<code>${subject}</code><br /><span class="soft">${prose(title)}</span>`,
      cells: [prose(subjectOf(subject).text), bounded(detail ?? got ?? '', allows)],
    })),
  )
}

function bounded(text: string, allows: Allowance): Markup {
  const whole = prose(shorten(text, mostText))
  return allows(whole) ? whole : prose(shorten(text, mostInShort))
}
