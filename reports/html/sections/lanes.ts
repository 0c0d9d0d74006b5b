/** The way into the page: three kinds of reader, and where each finds what they came for. */
import { html } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'

type Part = readonly [id: string, words: string]

interface Lane {
  id: string
  title: string
  parts: readonly Part[]
}

const ways: readonly Lane[] = [
  {
    id: 'release',
    title: 'Release managers',
    parts: [
      ['by-area', 'coverage by area'],
      ['failed', 'failures in short'],
      ['waivers', 'waivers'],
      ['origin', 'who ran it'],
      ['verify', 'verify'],
      ['changes', 'changes'],
    ],
  },
  {
    id: 'developer',
    title: 'Developers',
    parts: [
      ['failures', 'failures'],
      ['warnings', 'warnings'],
      ['inconclusive', 'inconclusive'],
      ['traffic', 'requests over time'],
    ],
  },
  {
    id: 'auditor',
    title: 'Auditors',
    parts: [
      ['not-tested', 'not tested'],
      ['counts', 'clauses by area'],
      ['identity', 'identity and digests'],
      ['used', 'usage'],
      ['clauses', 'every clause'],
      ['exchanges', 'evidence'],
      ['observed', 'observed'],
      ['apart', 'older variant'],
      ['limits', 'limits'],
      ['glossary', 'glossary'],
    ],
  },
]

/** Only what is there is led to. */
export function lanes({ markup }: Markup): Markup {
  const isThere = ([id]: Part): boolean => markup.includes(` id="${id}"`)
  const part = ([id, words]: Part): Markup => html`<li><a href="#${id}">${words}</a></li>`
  return html`<nav aria-label="Parts of this report">
    <ul class="lanes">
      ${ways.map(
        ({ id, title, parts }) =>
          html`<li>
            <a class="way" href="#${id}">${title}</a>
            <ul>
              ${parts.filter(isThere).map(part)}
            </ul>
          </li>`,
      )}
    </ul>
  </nav>`
}
