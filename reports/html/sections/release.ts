/** For a release manager: what changed, what is let through, and what clients may notice although nothing forbids it. */
import type { Finding } from '../../bundle/record.ts'
import { commandOf } from '../../findings/check-again.ts'
import { subjectOf } from '../../run/subject.ts'
import { shorten } from '../../visible.ts'
import { allowanceOf, type Allowance } from './allowance.ts'
import type { Materials } from './cards.ts'
import { changesPart, howToCompare } from './changes.ts'
import { areasOf } from './charts.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { counted, folded, lane, prose, part } from '../elements/words.ts'
import { waivers } from './waivers.ts'

const mostSeen = 300
const mostInShort = 40
/** Bytes. */
const mostOfAll = 150_000

export function releaseLane(rows: readonly Finding[], from: Materials): Markup {
  const { run, beside } = from
  const { changes } = beside
  return lane('release', 'For release managers', [
    part(
      'changes',
      'What changed since the last run',
      changes ? changesPart(changes) : [howToCompare(commandOf(run.record))],
    ),
    part(
      'by-area',
      'How each area stands',
      [areasOf(run)].filter(({ markup }) => markup !== ''),
    ),
    part('waivers', 'Waivers', waivers(run)),
    part('observed', 'What was seen where the contract is silent', observedRow(rows)),
  ])
}

export function observedRow(rows: readonly Finding[]): readonly Markup[] {
  const seen = rows.filter(({ verdict }) => verdict === 'observed')
  if (seen.length === 0) return [html`<p>Nothing was observed.</p>`]
  return [folded(`${counted(seen.length, 'observation')}, recorded and never judged`, observations(seen))]
}

function observations(seen: readonly Finding[]): Markup {
  const allows = allowanceOf(mostOfAll)
  return wordTable(
    'What was seen',
    ['id', 'open question', 'seen'],
    seen.map(({ subject, title, detail, got }) => ({
      head: html`<code>${subject}</code><br /><span class="soft">${title}</span>`,
      cells: [prose(subjectOf(subject).text), bounded(detail ?? got ?? '', allows)],
    })),
  )
}

function bounded(text: string, allows: Allowance): Markup {
  const whole = prose(shorten(text, mostSeen))
  return allows(whole) ? whole : prose(shorten(text, mostInShort))
}
