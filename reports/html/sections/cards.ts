/** One card for what went wrong in one scenario: the clause, what was expected, what came, and how it came about. */
import { counterexampleFolder } from '../../bundle/curl.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import { clientSteps } from '../../findings/client-steps.ts'
import { alike } from '../../findings/alike.ts'
import type { Alike } from '../../findings/alike.ts'
import { streamChartOf } from './charts.ts'
import type { Beside } from '../../formats/exporter.ts'
import { checkAgain, replayAgain } from '../../findings/check-again.ts'
import { evidenceOf } from '../../findings/evidence.ts'
import { standingOf } from '../../verdicts/standing.ts'
import { subjectOf } from '../../run/subject.ts'
import { verdictWords } from '../../verdicts/verdicts.ts'
import { shorten } from '../../visible.ts'
import type { Allowance } from './allowance.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Markup } from '../elements/escape.ts'
import type { ExchangeViews } from './exchanges.ts'
import { wordTable } from '../elements/table.ts'
import { badgeOf, clauseLink, counted, pairs, prose } from '../elements/words.ts'

const mostExchanges = 6
const mostText = 2_000
const mostInShort = 40

const broken: readonly Finding['verdict'][] = ['fail', 'error', 'warn']

/** What cards are made of, beside their findings. */
export interface Materials {
  run: Run
  beside: Beside
  exchanges: ExchangeViews
  allows: Allowance
}

/** Cards for findings; a row each for those that there is no room for. */
export function cards(findings: readonly Finding[], from: Materials): readonly Markup[] {
  const left: Alike[] = []
  const shown = alike(findings).flatMap((group) => {
    const words = wordsOf(group, from)
    if (left.length === 0 && from.allows(words))
      return html`<article class="card">${words}${sequence(group.finding, from)}</article> `
    left.push(group)
    return []
  })
  return left.length === 0 ? shown : [...shown, inShort(left)]
}

function wordsOf({ finding, also }: Alike, { run, beside }: Materials): Markup {
  const { text, words } = subjectOf(finding.subject, run.record.target.identifiers)
  return html`<h4>${badgeOf(finding)} ${clauseLink(finding.subject)}</h4>
    <p class="clause">${prose(text)} <span class="soft">Contract: ${prose(words)}</span></p>
    ${difference(finding)}
    ${pairs([
      ['level', finding.basis === 'stated' ? finding.level : `${finding.level} (${finding.basis})`],
      ['also', also.length > 0 ? html`<code>${also.join(' ')}</code>` : undefined],
      ['scenario', finding.title],
      ['check', html`<code>${finding.check}</code>`],
      ['states', statesOf(finding)],
      ['the client', lineBreaks(clientSteps(finding, run))],
      ['policy', standingOf(finding)],
      ['reproduce', reproduce(finding, run, beside)],
    ])}`
}

function lineBreaks(lines: readonly string[]): Markup | undefined {
  return lines.length === 0 ? undefined : html`${lines.map((line) => html`${shorten(line, mostText)}<br />`)}`
}

function difference({ verdict, expected, got, detail }: Finding): Markup {
  return pairs(
    [
      ['expected', expected === undefined ? undefined : prose(shorten(expected, mostText))],
      ['got', got === undefined ? undefined : shorten(got, mostText)],
      ['detail', detail === undefined ? undefined : prose(shorten(detail, mostText))],
    ],
    `pairs difference ${verdictWords[verdict].tone}`,
  )
}

/** The smallest scenario of it where there is one, and the check alone. */
function reproduce({ check }: Finding, { record }: Run, { files }: Beside): Markup | undefined {
  const file = `${counterexampleFolder(check)}/scenario.json`
  const again = files.has(file) ? html`<code>${replayAgain(file, record.target)}</code><br />` : noMarkup
  if (record.target.kind === 'receiver') return again === noMarkup ? undefined : again
  return html`${again}<code>${checkAgain(check, record)}</code>`
}

export function statesOf({ states }: Finding): string | undefined {
  return states.length > 0 ? states.map(({ state, by }) => `${state} by ${by}`).join(', ') : undefined
}

/** The requests in the order sent, the one that shows it marked, and a stream drawn where it is one. */
function sequence(finding: Finding, { exchanges }: Materials): Markup {
  const { shown, rest } = evidenceOf(finding, mostExchanges)
  if (shown.length === 0) return noMarkup
  const mark = html` <strong class="decisive">← evidence</strong>`
  const steps = shown.map(({ id, as, decisive }) => {
    const role = as === undefined ? '' : html` <strong>${as}</strong>`
    return html`<li>${exchanges.show(id, html`${role}${decisive ? mark : ''}`)}</li>`
  })
  const shows = exchanges.get((shown.find(({ decisive }) => decisive) ?? shown[0])?.id ?? 0)
  const kind = broken.includes(finding.verdict) ? 'sequence' : 'sequence proof'
  return html`<p class="soft">Evidence: ${counted(shown.length, 'exchange')}</p>
    <ol class="${kind}">
      ${steps}
    </ol>
    ${rest > 0 ? html`<p class="soft">${rest} more: see journal.ndjson.</p>` : noMarkup}
    ${shows ? streamChartOf(shows, finding.check) : noMarkup}`
}

function inShort(groups: readonly Alike[]): Markup {
  const short = (text: string | undefined): string => shorten(text ?? '', mostInShort)
  const rows = groups.map(({ finding, also }) => ({
    head: html`${badgeOf(finding)}
    ${clauseLink(finding.subject)}${also.length > 0 ? ` and ${also.length} more` : ''}`,
    cells: [
      html`<code>${finding.check}</code>`,
      short(finding.expected),
      short(finding.got ?? finding.detail),
    ],
  }))
  const caption = `${counted(groups.length, 'more', 'more')}, in short: run.json has them in full`
  return wordTable(caption, ['clause', 'check', 'expected', 'got'], rows)
}
