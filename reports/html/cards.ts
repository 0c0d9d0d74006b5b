/** One card for what went wrong in one story: what was expected, what came, and the exchanges that show it. */
import type { Exchange, Finding, Run } from '../../suites/record.ts'
import { alike } from '../alike.ts'
import type { Alike } from '../alike.ts'
import { counterexampleFolder, curlOf } from '../../suites/curl.ts'
import type { Beside } from '../exporter.ts'
import { evidenceOf } from '../evidence.ts'
import { standingOf } from '../standing.ts'
import { subjectOf } from '../subject.ts'
import { transcript } from '../transcript.ts'
import { shorten } from '../visible.ts'
import { html, nothing } from './escape.ts'
import type { Markup } from './escape.ts'
import { badgeOf, pairs, prose } from './words.ts'

const mostExchanges = 6
const mostText = 2_000

/** Cards for findings, over the exchanges of the run. */
export function cards(findings: readonly Finding[], run: Run, beside: Beside): readonly Markup[] {
  const journal = new Map(run.journal.map((exchange) => [exchange.id, exchange]))
  return alike(findings).map((group) => card(group, journal, run.record.target, beside))
}

type Journal = ReadonlyMap<number, Exchange>

function card(
  { finding, also }: Alike,
  journal: Journal,
  { baseUrl }: Run['record']['target'],
  beside: Beside,
): Markup {
  const { text, source } = subjectOf(finding.subject)
  const { ids, telling, rest } = evidenceOf(finding, mostExchanges)
  return html`<article class="card">
    <h3>${badgeOf(finding)} <code>${finding.subject}</code></h3>
    <p>${prose(text)}</p>
    ${pairs([
      ['expected', cut(finding.expected)],
      ['got', cut(finding.got)],
      ['detail', cut(finding.detail)],
      ['level', finding.basis === 'stated' ? finding.level : `${finding.level} (${finding.basis})`],
      ['contract', source],
      ['also', also.length > 0 ? html`<code>${also.join(' ')}</code>` : undefined],
      ['scenario', finding.title],
      ['check', html`<code>${finding.check}</code>`],
      ['states', statesOf(finding)],
      ['policy', standingOf(finding)],
      ['again', replayOf(finding, beside)],
    ])}
    ${ids.map((id) => exchangeOf(journal.get(id), id, baseUrl, id === telling))}
    ${rest > 0 ? html`<p class="soft">${rest} more exchanges: see journal.ndjson.</p>` : nothing}
  </article> `
}

/** Only where there is something that can be told again. */
function replayOf({ check }: Finding, { files }: Beside): Markup | undefined {
  const file = `${counterexampleFolder(check)}/scenario.json`
  return files.has(file) ? html`<code>touchstone replay ${file} --base-url URL</code>` : undefined
}

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shorten(text, mostText)
}

function statesOf({ states }: Finding): string | undefined {
  return states.length > 0 ? states.map(({ state, by }) => `${state} by ${by}`).join(', ') : undefined
}

function again(exchange: Exchange, baseUrl: string): Markup {
  return html`<p class="soft">Again by hand</p>
    <pre>${curlOf(exchange, baseUrl)}</pre>`
}

function exchangeOf(exchange: Exchange | undefined, id: number, baseUrl: string, tells: boolean): Markup {
  if (!exchange) return html`<p class="soft">Exchange ${id} is not in the journal.</p>`
  const { summary, request, response } = transcript(exchange)
  const came = exchange.inbound !== undefined
  const silence = came ? 'nothing was answered' : 'nothing came back'
  const answer =
    response.length > 0
      ? response.join('\n')
      : `${silence}: ${exchange.failure?.message ?? 'no reason recorded'}`
  return html`<details>
    <summary>
      exchange ${id}, <code>${exchange.name}</code>:
      <code>${summary}</code>${tells ? html` <strong>← shows it</strong>` : nothing}
    </summary>
    <p class="soft">${came ? 'What came in' : 'Request'}</p>
    <pre>${request.join('\n')}</pre>
    <p class="soft">${came ? 'What we answered' : 'Answer'}</p>
    <pre>${answer}</pre>
    ${came ? '' : again(exchange, baseUrl)}
  </details> `
}
