/** What changed, as a page: one file without scripts, network or anything else outside of itself. */
import { createHash } from 'node:crypto'
import { html } from '../html/escape.ts'
import type { Markup } from '../html/escape.ts'
import { style } from '../html/style.ts'
import { list, pairs, prose } from '../html/words.ts'
import { shorten } from '../visible.ts'
import type { Change, Comparison } from './compare.ts'
import { kindWords } from './kinds.ts'
import type { ChangeKind } from './kinds.ts'
import {
  aboutOf,
  answerOf,
  byKind,
  cautions,
  countsOf,
  fieldsOf,
  notesOf,
  sideWords,
  stepOf,
} from './words.ts'

const mostText = 2_000

export function renderDiffPage(comparison: Comparison): string {
  const { sign, words, tone } = answerOf(comparison)
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${words}: ${comparison.after.target}</title>
        ${sheet}
      </head>
      <body>
        <main>
          <h1>What changed: ${comparison.after.target}</h1>
          ${pairs([
            ['earlier', sideWords(comparison.before)],
            ['later', sideWords(comparison.after)],
          ])}
          <div class="answers">
            <div class="${tone}">
              <h2>Answer</h2>
              <strong>${sign} ${words}</strong>
              ${countsOf(comparison)}
            </div>
          </div>
          ${cautions(comparison).map((caution) => html`<p class="banner"><strong>${caution}</strong></p>`)}
          ${comparability(comparison)} ${byKind(comparison).map(([kind, found]) => changesOf(kind, found))}
        </main>
      </body>
    </html> `
  return markup
}

// As one piece: the policy names the digest of exactly these characters.
const sheet: Markup = { markup: `<style>${style}</style>` }

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function comparability({ comparable }: Comparison): Markup {
  const row = ({ what, before, after, same, means }: Comparison['comparable'][number]) =>
    html`<tr>
      <th scope="row">${what}</th>
      <td>${before}</td>
      <td>${after}</td>
      <td>${same ? '= the same' : prose(`≠ ${means ?? 'not the same'}`)}</td>
    </tr> `
  const caption = comparable.every(({ same }) => same)
    ? 'Like is compared with like'
    : 'What differs here may be why verdicts differ'
  return section('comparability', 'What the two runs share', [
    html`<table class="clauses">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">what</th>
          <th scope="col">earlier</th>
          <th scope="col">later</th>
          <th scope="col">so</th>
        </tr>
      </thead>
      <tbody>
        ${comparable.map(row)}
      </tbody>
    </table>`,
  ])
}

function changesOf(kind: ChangeKind, found: readonly Change[]): Markup {
  const { sign, word, means, weight } = kindWords[kind]
  const isLoud = weight !== 'none' || kind === 'observed behaviour changed'
  const brief = (change: Change) =>
    html`<code>${change.check}</code> ${stepOf(change)}
      <span class="soft">${notesOf(change).join('; ')}</span>`
  const content = isLoud ? found.map(card) : [list(found.map(brief))]
  return section(kind.replaceAll(' ', '-'), `${sign} ${word} (${found.length})`, [
    html`<p class="soft">${means}</p>`,
    ...content,
  ])
}

function section(id: string, title: string, content: readonly Markup[]): Markup {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section> `
}

function card(change: Change): Markup {
  const fields = fieldsOf(change).map(([name, value]) => [name, shorten(value, mostText)] as const)
  return html`<article class="card">
    <h3>
      <span class="${kindWords[change.kind].tone}">${stepOf(change)}</span> <code>${change.check}</code>
    </h3>
    <p>${prose(aboutOf(change))} <span class="soft">${change.level}</span></p>
    ${pairs(fields)}
  </article> `
}
