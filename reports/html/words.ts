/** Small pieces of markup that every part of the page uses. */
import type { Finding, Verdict } from '../../suites/record.ts'
import { marksOf } from '../standing.ts'
import { verdictWords } from '../verdicts.ts'
import { html, nothing } from './escape.ts'
import type { Hole, Markup } from './escape.ts'

/** Sign and word of a verdict; the colour only repeats them. */
export function badge(verdict: Verdict, marks: readonly string[] = []): Markup {
  const { sign, word, tone } = verdictWords[verdict]
  const { markup } = html`<span aria-hidden="true">${sign}</span> ${[word, ...marks].join(', ')}`
  return html`<span class="${`verdict ${tone}`}">${{ markup }}</span>`
}

export function badgeOf(finding: Finding): Markup {
  return badge(finding.verdict, marksOf(finding))
}

/** Our own wording, in which names stand between backticks. */
export function prose(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** A section with an anchor, or nothing where there is nothing to say. */
export function section(id: string, title: string, content: readonly Markup[]): Markup {
  if (content.length === 0) return nothing
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section> `
}

export function list(items: readonly Hole[]): Markup {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`
}

/** Name and value pairs; a pair without a value is left out. */
export function pairs(rows: readonly (readonly [name: string, value: Hole])[]): Markup {
  const given = rows.filter(([, value]) => value !== undefined)
  return html`<dl>
    ${given.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}
