/** Exchanges of a page: each in full at most once, where there is room for it. */
import { curlOf, type CurlTarget } from '../bundle/curl.ts'
import type { Exchange, Finding, Run } from '../bundle/record.ts'
import { streamTimeline } from '../chart/stream.ts'
import { evidenceOf } from '../findings/evidence.ts'
import { transcript } from '../findings/transcript.ts'
import { counted } from './blocks.ts'
import { figure, folded, words } from './html-words.ts'
import { html, noMarkup, type Hole, type Markup } from './markup.ts'

/** What a page has shown already, and how much room is left. */
export interface Room {
  readonly shown: Set<number>
  /** Bytes. */
  left: number
}

const mostOfOne = 50_000
const mostExchanges = 6

/** Whether a piece still fits; if so it is taken off. */
export function fits({ markup }: Markup, room: Room): boolean {
  const size = Buffer.byteLength(markup)
  if (size > Math.min(room.left, mostOfOne)) return false
  room.left -= size
  return true
}

/** The one that shows it is marked, and a stream is drawn. */
export function sequence(finding: Finding, { record, journal }: Run, room: Room): Markup {
  const { shown: some, rest } = evidenceOf(finding, mostExchanges)
  if (some.length === 0) return noMarkup
  const failed = ['fail', 'error', 'warn'].includes(finding.verdict)
  const find = (wanted?: number): Exchange | undefined => journal.find(({ id }) => id === wanted)
  const steps = some.map(({ id, as, decisive }) => {
    const role = as === undefined ? '' : html` <strong>${as}</strong>`
    const mark = html`${role}${decisive ? html` <strong class="decisive">← evidence</strong>` : ''}`
    const exchange = find(id)
    const line = exchange
      ? inFull(exchange, room, mark, failed ? record.target : null)
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

export function proofs(exchanges: readonly Exchange[], room: Room): Markup {
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

/** Once in a page, where it fits. `target`: of the curl command; null for none. */
function inFull(exchange: Exchange, room: Room, mark: Hole, target: CurlTarget | null): Markup {
  const { id, inbound, failure, name } = exchange
  const { summary, request, response } = transcript(exchange)
  const line = html`<code>${summary}</code> <span class="soft">exchange ${id}, ${words(name)}</span>${mark}`
  const anchor = `exchange-${id}`
  if (room.shown.has(id)) return html`${line} <a href="#${anchor}">in full</a>`
  const silence = inbound ? 'no reply was sent' : 'no response'
  const came =
    response.length > 0 ? response.join('\n') : `${silence}: ${failure?.message ?? 'no reason recorded'}`
  const curl =
    inbound || target === null
      ? noMarkup
      : html`<p class="soft">Reproduce with curl</p>
          <pre>${curlOf(exchange, target)}</pre>`
  const full = html`<details id="${anchor}">
    <summary>${line}</summary>
    <p class="soft">${inbound ? 'Received' : 'Request'}</p>
    <pre>${request.join('\n')}</pre>
    <p class="soft">${inbound ? 'Our reply' : 'Response'}</p>
    <pre>${came}</pre>
    ${curl}
  </details> `
  if (!fits(full, room)) return html`${line} <span class="soft">(in full in journal.ndjson)</span>`
  room.shown.add(id)
  return full
}

function streamOf(exchange: Exchange, place: string): Markup {
  const chart = streamTimeline(exchange, `stream-${place}`)
  return chart.markup === '' ? noMarkup : figure(chart, `Stream timing of exchange ${exchange.id}`)
}
