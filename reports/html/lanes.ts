/** The way into the page: three kinds of reader, and where each finds what they came for. */
import { html } from './escape.ts'
import type { Markup } from './escape.ts'

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
      ['changes', 'what changed'],
      ['waivers', 'waivers'],
      ['observed', 'where the contract is silent'],
    ],
  },
  {
    id: 'developer',
    title: 'Developers',
    parts: [['failures', 'failures and how to see them again']],
  },
  {
    id: 'auditor',
    title: 'Auditors',
    parts: [
      ['counts', 'clauses by area'],
      ['not-shown', 'what was not shown'],
      ['identity', 'identity and digests'],
      ['clauses', 'every clause'],
      ['limits', 'what this does not prove'],
      ['glossary', 'words'],
    ],
  },
]

export function lanes(): Markup {
  const part = ([id, words]: Part): Markup => html`<li><a href="#${id}">${words}</a></li>`
  return html`<nav aria-label="Parts of this report">
    <ul class="lanes">
      ${ways.map(
        ({ id, title, parts }) =>
          html`<li>
            <a class="way" href="#${id}">${title}</a>
            <ul>
              ${parts.map(part)}
            </ul>
          </li>`,
      )}
    </ul>
  </nav>`
}
