/** The answers under clause sets that do not decide. */
import type { Run } from '../../bundle/record.ts'
import { otherSetWords } from '../../verdicts/other-sets.ts'
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import { list, prose, signed } from '../elements/words.ts'

/** Empty if there are none. */
export function otherSets({ record }: Run): readonly Markup[] {
  return otherSetWords(record).map(
    ({ words, title, gate, because, lines }) =>
      html`<div class="card">
        <h4>${signed(words.sign, title, words.tone)}</h4>
        <p>${gate}</p>
        ${list([...because, ...lines].map(prose))}
      </div>`,
  )
}
