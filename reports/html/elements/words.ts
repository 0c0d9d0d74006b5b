/** Small pieces of markup that every part of the page uses. */
import type { Finding, Verdict } from '../../bundle/record.ts'
import { isClause } from '../../verdicts/rows.ts'
import { marksOf } from '../../verdicts/standing.ts'
import { verdictWords, type Tone } from '../../verdicts/verdicts.ts'
import { html, noMarkup } from './escape.ts'
import type { Hole, Markup } from './escape.ts'

/** Sign and word of a verdict; the colour only repeats them. */
export function badge(verdict: Verdict, marks: readonly string[] = []): Markup {
  const { sign, word, tone } = verdictWords[verdict]
  return signed(sign, [word, ...marks].join(', '), tone)
}

export function badgeOf(finding: Finding): Markup {
  return badge(finding.verdict, marksOf(finding))
}

export function signed(sign: string, words: string, tone: Tone): Markup {
  return html`<span class="${`verdict ${tone}`}"><span aria-hidden="true">${sign}</span> ${words}</span>`
}

/** Our own wording, in which names stand between backticks. */
export function prose(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** A third of the page, for one kind of reader. */
export function lane(id: string, title: string, content: readonly Markup[]): Markup {
  return html`<section class="lane" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section> `
}

/** A part of a lane with an anchor, or nothing where there is nothing to say. */
export function part(id: string, title: string, content: readonly Markup[]): Markup {
  if (content.length === 0) return noMarkup
  return html`<section aria-labelledby="${id}">
    <h3 id="${id}">${title}</h3>
    ${content}
  </section> `
}

/** A picture with what it shows; nothing where there was nothing to draw. */
export function figure(chart: Markup, caption: Hole): Markup {
  if (chart.markup === '') return noMarkup
  return html`<figure>
    <figcaption>${caption}</figcaption>
    ${chart}
  </figure> `
}

export function list(items: readonly Hole[]): Markup {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`
}

/** Name and value pairs; a pair without a value is left out. */
export function pairs(rows: readonly (readonly [name: Hole, value: Hole])[], kind = 'pairs'): Markup {
  const given = rows.filter(([, value]) => value !== undefined)
  return html`<dl class="${kind}">
    ${given.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

/** A link only to a web page; anything else is text. */
export function webLink(address: string, words = address): Markup {
  return /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="noreferrer">${words}</a>`
    : prose(words)
}

/** Leads to the row of a clause further down; an open question has none. */
export function clauseLink(subject: string): Markup {
  return isClause(subject)
    ? html`<a href="#${subject}"><code>${subject}</code></a>`
    : html`<code>${subject}</code>`
}

export function folded(summary: Hole, content: Hole): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details> `
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
