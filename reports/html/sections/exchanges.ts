/** Exchanges in full, each at most once in a page: where it is shown again, a link leads to it. */
import { curlOf, type CurlTarget } from '../../bundle/curl.ts'
import type { Exchange, Run } from '../../bundle/record.ts'
import { transcript } from '../../findings/transcript.ts'
import type { Allowance } from './allowance.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { prose } from '../elements/words.ts'

export interface ShowOptions {
  mark?: Hole
  /** With a command that sends it again: for failures. */
  curl?: boolean
}

export interface ExchangeViews {
  get: (id: number) => Exchange | undefined
  /** What was sent and came back, folded; one line where it stands elsewhere or does not fit. */
  show: (id: number, how?: ShowOptions) => Markup
  /** Ids, as links where they are shown. */
  mention: (ids: readonly number[]) => Markup
  has: (id: number) => boolean
}

export function exchangeViews(run: Run, allows: Allowance): ExchangeViews {
  const journal = new Map(run.journal.map((exchange) => [exchange.id, exchange]))
  const shown = new Set<number>()
  const show = (id: number, { mark = '', curl = false }: ShowOptions = {}): Markup => {
    const exchange = journal.get(id)
    if (!exchange) return html`<span class="soft">Exchange ${id} is not in the journal.</span>`
    const line = html`<code>${transcript(exchange).summary}</code>
      <span class="soft">exchange ${id}, ${prose(exchange.name)}</span>${mark}`
    if (shown.has(id)) return html`${line} <a href="#${anchor(id)}">in full</a>`
    const full = inFull(exchange, line, curl ? run.record.target : null)
    if (!allows(full)) return html`${line} <span class="soft">(in full in journal.ndjson)</span>`
    shown.add(id)
    return full
  }
  const one = (id: number): Hole => (shown.has(id) ? html`<a href="#${anchor(id)}">${id}</a>` : id)
  return {
    get: (id) => journal.get(id),
    show,
    has: (id) => shown.has(id),
    mention: (ids) => html`${ids.map((id, index) => [index > 0 ? ', ' : '', one(id)])}`,
  }
}

const anchor = (id: number): string => `exchange-${id}`

/** `target`: of the curl command; null for none. */
function inFull(exchange: Exchange, line: Markup, target: CurlTarget | null): Markup {
  const { request, response } = transcript(exchange)
  const came = exchange.inbound !== undefined
  const silence = came ? 'no reply was sent' : 'no response'
  const answer =
    response.length > 0
      ? response.join('\n')
      : `${silence}: ${exchange.failure?.message ?? 'no reason recorded'}`
  return html`<details id="${anchor(exchange.id)}">
    <summary>${line}</summary>
    <p class="soft">${came ? 'Received' : 'Request'}</p>
    <pre>${request.join('\n')}</pre>
    <p class="soft">${came ? 'Our reply' : 'Response'}</p>
    <pre>${answer}</pre>
    ${came || target === null ? noMarkup : byHand(exchange, target)}
  </details> `
}

function byHand(exchange: Exchange, target: CurlTarget): Markup {
  return html`<p class="soft">Reproduce with curl</p>
    <pre>${curlOf(exchange, target)}</pre>`
}
