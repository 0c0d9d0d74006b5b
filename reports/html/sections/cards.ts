/** One card for a failure in one scenario: the clause, expected, actual, and the exchanges. */
import { counterexampleFolder } from '../../bundle/curl.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import { clientSteps } from '../../findings/client-steps.ts'
import { alike } from '../../findings/alike.ts'
import type { Alike } from '../../findings/alike.ts'
import { streamChartOf } from './charts.ts'
import type { Beside } from '../../formats/exporter.ts'
import { checkAgain, replayAgain } from '../../findings/check-again.ts'
import { evidenceOf } from '../../findings/evidence.ts'
import { levelNote, standingOf } from '../../verdicts/standing.ts'
import { subjectOf } from '../../run/subject.ts'
import { isClause } from '../../verdicts/rows.ts'
import { verdictWords } from '../../verdicts/verdicts.ts'
import { shorten } from '../../visible.ts'
import type { Allowance } from './allowance.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import type { ExchangeViews } from './exchanges.ts'
import { badgeOf, clauseLink, counted, folded, list, pairs, prose } from '../elements/words.ts'

/** Cards that are not folded: a browser lays out the others when they are opened. */
const mostOpen = 25
const mostExchanges = 6
const mostText = 2_000
const mostInShort = 40

const broken: readonly Finding['verdict'][] = ['fail', 'error', 'warn']

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
  const rest = [...shown.slice(mostOpen), ...(left.length === 0 ? [] : [inShort(left)])]
  const count = shown.length - mostOpen + left.length
  return rest.length === 0
    ? shown
    : [...shown.slice(0, mostOpen), folded(`${Math.max(count, left.length)} more`, rest)]
}

function wordsOf({ finding, also }: Alike, { run, beside }: Materials): Markup {
  const { text, words } = subjectOf(finding.subject, run.record)
  const standing = standingOf(finding)
  return html`<h4>${badgeOf(finding)} ${clauseLink(finding.subject)}</h4>
    <p class="clause">${prose(text)} <span class="soft">Contract: ${prose(words)}</span></p>
    ${difference(finding)}
    ${pairs([
      [
        'level',
        `${finding.level}${finding.basis === 'stated' ? '' : ` (${finding.basis})`}${levelNote(finding)}`,
      ],
      ['also', also.length > 0 ? html`<code>${also.join(' ')}</code>` : undefined],
      ['scenario', prose(finding.title)],
      ['check', html`<code>${finding.check}</code>`],
      ['states', statesOf(finding)],
      ['the client', lineBreaks(clientSteps(finding, run))],
      ['policy', standing === undefined ? undefined : prose(standing)],
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
      ['actual', got === undefined ? undefined : prose(shorten(got, mostText))],
      ['detail', detail === undefined ? undefined : prose(shorten(detail, mostText))],
    ],
    `pairs difference ${verdictWords[verdict].tone}`,
  )
}

/** The smallest scenario of it where there is one, and the check alone. */
function reproduce({ check }: Finding, { record }: Run, { files }: Beside): Markup | undefined {
  const file = `${counterexampleFolder(check)}/replay.json`
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
  const failed = broken.includes(finding.verdict)
  const steps = shown.map(({ id, as, decisive }) => {
    const role = as === undefined ? '' : html` <strong>${as}</strong>`
    return html`<li>${exchanges.show(id, { mark: html`${role}${decisive ? mark : ''}`, curl: failed })}</li>`
  })
  const shows = exchanges.get((shown.find(({ decisive }) => decisive) ?? shown[0])?.id ?? 0)
  const kind = failed ? 'sequence' : 'sequence proof'
  return html`<p class="soft">Evidence: ${counted(shown.length, 'request')}</p>
    <ol class="${kind}">
      ${steps}
    </ol>
    ${rest > 0 ? html`<p class="soft">${rest} more: see journal.ndjson.</p>` : noMarkup}
    ${shows ? streamChartOf(shows, finding.check) : noMarkup}`
}

function inShort(groups: readonly Alike[]): Markup {
  const short = (text: string | undefined): Hole => prose(shorten(text ?? 'nothing', mostInShort))
  const lines = groups.map(({ finding, also }) => {
    const { subject, check, expected, got, detail } = finding
    const id = html`<code>${check}</code>`
    const link = isClause(subject) ? html`<a href="#${subject}">${id}</a>` : id
    const others = also.length > 0 ? ` and ${also.length} more` : ''
    return html`${badgeOf(finding)} ${link}${others}: expected ${short(expected)}; actual
    ${short(got ?? detail)}`
  })
  return html`<p>${groups.length} in short; see run.json for the rest:</p>
    ${list(lines)}`
}
