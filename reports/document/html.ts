/**
 * A report as one file without network, scripts or anything else outside of itself, for a screen, a phone and paper.
 * Its policy forbids the browser everything but the style sheet, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import type { Exchange, Finding, Run, RunRecord } from '../../bundle/record.ts'
import { streamTimeline } from '../chart/stream.ts'
import { curlLine, evidenceOf, logLine, nameOf, transcript } from '../findings/exchanges.ts'
import { counted, present, type Answer, type Block, type Card, type Report, type Section } from './blocks.ts'
import {
  classOf,
  fieldsOf,
  figure,
  filtersOf,
  folded,
  htmlWords,
  itemsOf,
  mostInShort,
  tilesOf,
  tableOf,
} from './html-words.ts'
import { html, noMarkup, type Hole, type Markup } from './markup.ts'
import { servedScript, servedStyle, style } from './style.ts'

/** What a page has shown already, and how much room is left. */
interface Room {
  readonly shown: Set<number>
  /** Bytes. */
  left: number
}

const mostOfOne = 50_000
const mostExchanges = 6

/** Whether a piece still fits; if so it is taken off. */
function fits({ markup }: Markup, room: Room): boolean {
  const size = Buffer.byteLength(markup)
  if (size > Math.min(room.left, mostOfOne)) return false
  room.left -= size
  return true
}

/** The one that shows it is marked, and a stream is drawn. */
function sequence(finding: Finding, { record, journal }: Run, room: Room): Markup {
  const { shown: some, rest } = evidenceOf(finding, mostExchanges)
  if (some.length === 0) return noMarkup
  const failed = ['fail', 'error', 'warn'].includes(finding.verdict)
  const find = (wanted?: number): Exchange | undefined => journal.find(({ id }) => id === wanted)
  const steps = some.map(({ id, as, decisive }) => {
    const role = as === undefined ? '' : html` <strong>${as}</strong>`
    const mark = html`${role}${decisive ? html` <strong class="decisive">← evidence</strong>` : ''}`
    const exchange = find(id)
    const line = exchange
      ? inFull(exchange, room, mark, failed ? record : null)
      : html`<span class="soft">Exchange ${id} is not in the journal.</span>`
    return html`<li>${line}</li>`
  })
  const decisive = find((some.find((one) => one.decisive) ?? some[0])?.id)
  return html`<p class="soft">Evidence: ${counted(some.length, 'request')}</p>
    <ol class="${failed ? 'sequence' : 'sequence proof'}">
      ${steps}
    </ol>
    ${rest > 0 ? html`<p class="soft">${rest} more: see journal.ndjson.</p>` : noMarkup}
    ${decisive ? streamOf(decisive, finding.check) : noMarkup}`
}

function proofs(exchanges: readonly Exchange[], room: Room): Markup {
  const items = exchanges
    .filter(({ id }) => !room.shown.has(id))
    .map((one) => ({ id: one.id, full: inFull(one, room, '', null) }))
    .filter(({ id }) => room.shown.has(id))
  if (items.length === 0) return html`<p>All that there is room for are shown above.</p>`
  const list = html`<ol class="proof">
    ${items.map(({ full }) => html`<li>${full}</li>`)}
  </ol>`
  return folded(counted(items.length, 'exchange'), list)
}

/** Once in a page, where it fits. `record`: of the log and the curl command; null for neither. */
function inFull(exchange: Exchange, room: Room, mark: Hole, record: RunRecord | null): Markup {
  const { id, inbound, failure } = exchange
  const { summary, request, response } = transcript(exchange)
  const line = html`<code>${summary}</code>
    <span class="soft">${htmlWords(present(`exchange ${id}`, nameOf(exchange)).join(', '))}</span>${mark}`
  const anchor = `exchange-${id}`
  if (room.shown.has(id)) return html`${line} <a href="#${anchor}">in full</a>`
  const silence = inbound ? 'no reply was sent' : 'no response'
  const came =
    response.length > 0 ? response.join('\n') : `${silence}: ${failure?.message ?? 'no reason recorded'}`
  const curl =
    inbound || record === null
      ? noMarkup
      : html`<p class="soft">Reproduce with curl</p>
          <pre class="command">${curlLine(exchange, record)}</pre>`
  const log = record === null ? '' : logLine(exchange, record.target)
  const full = html`<details id="${anchor}">
    <summary>${line}</summary>
    <p class="soft">${inbound ? 'Received' : 'Request'}</p>
    <pre>${request.join('\n')}</pre>
    <p class="soft">${inbound ? 'Our reply' : 'Response'}</p>
    <pre>${came}</pre>
    ${log && html`<p class="soft">In the log of the server: <code>${log}</code></p>`} ${curl}
  </details> `
  if (!fits(full, room)) return html`${line} <span class="soft">(in full in journal.ndjson)</span>`
  room.shown.add(id)
  return full
}

function streamOf(exchange: Exchange, place: string): Markup {
  const chart = streamTimeline(exchange, `stream-${place}`)
  return chart.markup === '' ? noMarkup : figure(chart, `Stream timing of exchange ${exchange.id}`)
}

/** The policy with style sheet and script: as one piece, because it names the digest of exactly these characters. */
function styled(isServed: boolean): Markup {
  const sheet = isServed ? style + servedStyle : style
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digestOf(sheet)}'`,
    ...(isServed ? [`script-src 'sha256-${digestOf(servedScript)}'`] : []),
    "base-uri 'none'",
    `form-action '${isServed ? 'self' : 'none'}'`,
  ].join('; ')
  return html`<meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    ${{ markup: `<style>${sheet}</style>` }}
    ${isServed ? { markup: `<script type="module">${servedScript}</script>` } : noMarkup}`
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Bytes for what a target sent: less than half of a page of one megabyte. */
const mostOfTarget = 380_000
/** Cards that are not folded: a browser lays out the others when they are opened. */
const mostOpen = 10
const mostItems = 200

interface State extends Room {
  /** Below a title of the third level. */
  isInPart: boolean
}

export interface Page extends Report {
  /** Sections after those that are a summary of two pages on paper. */
  appendix?: readonly Section[]
  /** What stands before all sections and does not belong to the head. */
  body?: readonly Block[]
  /** Other pages of a server have what has no place in this one. */
  isServed?: boolean
}

export function htmlOf(page: Page): string {
  const { title, eyebrow, heading, head, sections, appendix = [], body = [], foot, isServed = false } = page
  const room: State = { shown: new Set(), left: mostOfTarget, isInPart: false }
  const header = blocksOf(head, room)
  const main = [
    blocksOf(body, room),
    sections.map((one) => sectionOf(one, room)),
    appendix.length === 0
      ? noMarkup
      : html`<div class="appendix">
          <h2>Appendix: details and evidence</h2>
          ${appendix.map((one) => sectionOf(one, room))}
        </div>`,
  ]
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        ${styled(isServed)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the details</a>
        <header>
          ${eyebrow === undefined ? noMarkup : html`<p class="eyebrow">${htmlWords(eyebrow)}</p>`}
          <h1>${htmlWords(heading)}</h1>
          ${header}
        </header>
        ${appendix.length > 0 ? menu([...sections, ...appendix]) : noMarkup}
        <main id="main" ${classOf(appendix.length > 0 ? 'summary' : undefined)}>${main}</main>
        ${foot === undefined ? noMarkup : html`<footer class="soft">${htmlWords(foot)}</footer>`}
      </body>
    </html> `
  // What is mentioned may have no place in this page: a clause of another, an exchange that there was no room for.
  const ids = new Set([...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))
  return markup.replace(
    /<a href="#(exchange-\d+|[A-Z][A-Z\d-]*)">(.*?)<\/a>/gs,
    (link, id: string, words: string) => {
      if (ids.has(id)) return link
      const [, number] = /^exchange-(.*)/.exec(id) ?? []
      const at = number === undefined ? `checks?clause=${id}` : `exchange?id=${number}`
      return isServed ? `<a href="./${at}">${words}</a>` : words
    },
  )
}

const hasContent = ({ blocks, sections = [] }: Section): boolean => blocks.length + sections.length > 0

/** The way into the page, for each kind of reader. */
function menu(sections: readonly Section[]): Markup {
  const part = ({ id, title, short }: Section): Markup =>
    html`<li><a href="#${id}">${short ?? htmlWords(title)}</a></li>`
  return html`<nav aria-label="Parts of this report">
    <ul class="lanes">
      ${sections.map(
        ({ id, title, short, sections: parts = [] }) =>
          html`<li>
            <a class="way" href="#${id}">${short ?? htmlWords(title)}</a>
            <ul>
              ${parts.filter(hasContent).map(part)}
            </ul>
          </li>`,
      )}
    </ul>
  </nav>`
}

/** Below the title of the section that it is in. */
const heading = (title: Hole, room: State): Markup =>
  room.isInPart ? html`<h4>${title}</h4>` : html`<h3>${title}</h3>`

const blocksOf = (all: readonly Block[], room: State): readonly Markup[] =>
  all.map((one) => {
    if ('words' in one) return html`<p${classOf(one.kind)}>${htmlWords(one.words)}</p> `
    if ('banner' in one)
      return html`<p class="banner"><strong>${one.banner}.</strong> ${htmlWords(one.says, mostInShort)}</p> `
    if ('answers' in one)
      return html`<div class="answers">${one.answers.map((each) => answerOf(each, room))}</div> `
    if ('fields' in one) {
      const tone = one.tone === undefined ? '' : ` difference ${one.tone}`
      return fieldsOf(one.fields, `pairs${one.kind === 'wide' ? ' long' : ''}${tone}`)
    }
    if ('tiles' in one) return tilesOf(one)
    if ('filters' in one) return filtersOf(one.filters)
    if ('items' in one) return itemsOf(one.items, one.most ?? mostItems)
    if ('table' in one) return tableOf(one)
    if ('code' in one) return html`<pre>${one.code.join('\n')}</pre> `
    if ('cards' in one) return html`${cardsOf(one.cards, room)}`
    if ('fold' in one) return folded(htmlWords(one.fold), blocksOf(one.blocks, room))
    if ('evidence' in one) return sequence(one.evidence, one.run, room)
    if ('exchanges' in one) return proofs(one.exchanges, room)
    return one.picture.markup === '' ? noMarkup : figure(one.picture, one.caption)
  })

function sectionOf(one: Section, room: State): Markup {
  const { id, title, sections = [] } = one
  if (!hasContent(one)) return noMarkup
  const isLane = sections.length > 0
  room.isInPart = isLane
  const parts = sections.filter(hasContent).map(
    (part) =>
      html`<section aria-labelledby="${part.id}">
        <h3 id="${part.id}">${htmlWords(part.title)}</h3>
        ${blocksOf(part.blocks, room)}
      </section> `,
  )
  return html`<section class="${isLane ? 'lane' : 'part'}" aria-labelledby="${id}">
    <h2 id="${id}">${htmlWords(title)}</h2>
    ${blocksOf(one.blocks, room)} ${parts}
  </section> `
}

const answerOf = ({ question, sign, word, tone, detail, blocks = [] }: Answer, room: State): Markup =>
  html`<div class="${tone}">
    <h2>${question}</h2>
    <p class="answer"><span aria-hidden="true">${sign}</span> ${word}</p>
    <p>${htmlWords(detail)}</p>
    ${blocksOf(blocks, room)}
  </div>`

/** Those that there is no room for get a row each. */
function cardsOf(all: readonly Card[], room: State): readonly Markup[] {
  const rest: Card[] = []
  const made = all.flatMap((card) => {
    const about = html`${heading(htmlWords([card.badge, ' ', card.title]), room)}
    ${blocksOf(
      card.blocks.filter((one) => !('evidence' in one)),
      room,
    )}`
    if (rest.length > 0 || !fits(about, room)) {
      rest.push(card)
      return []
    }
    return [
      html`<article class="card">
        ${about}${blocksOf(
          card.blocks.filter((one) => 'evidence' in one),
          room,
        )}
      </article> `,
    ]
  })
  const short = html`<p>${rest.length} in short; see run.json for the rest:</p>
    ${itemsOf(
      rest.map(({ badge, title, short }) => [badge, ' ', short ?? title]),
      rest.length,
    )}`
  const more = [...made.slice(mostOpen), ...(rest.length > 0 ? [short] : [])]
  const count = Math.max(made.length - mostOpen + rest.length, rest.length)
  return more.length === 0 ? made : [...made.slice(0, mostOpen), folded(`${count} more`, more)]
}
