/** The first screen: what was run against what, both answers, and the numbers that they have to be read with. */
import type { Finding, Run } from '../../suites/record.ts'
import { beyondChecks, undemonstrated, type ClauseRow } from '../clause-verdicts.ts'
import { clockTime, duration } from '../duration.ts'
import { completeness, leftOutWords, rowsOf } from '../rows.ts'
import { closingLine } from '../tally.ts'
import { conformanceWords } from '../verdicts.ts'
import type { Tone } from '../verdicts.ts'
import { underTest } from '../under-test.ts'
import { html, nothing } from './escape.ts'
import type { Hole, Markup } from './escape.ts'
import { counted, signed } from './words.ts'
import { daysLeft, waivedOf } from './waivers.ts'

export function head(run: Run, clauses: readonly ClauseRow[], together: readonly Finding[]): Markup {
  const { target, contract } = run.record
  const product = underTest(target)
  return html`<p class="eyebrow">Contract report, clauses of ${contract.revision}</p>
    <h1>${target.name}</h1>
    <p class="soft">${target.kind} at <code>${target.baseUrl}</code>${product && `: ${product}`}</p>
    <div class="answers">${conformance(run)}${gate(run)}</div>
    <dl class="facts">${facts(run, clauses, together).map(fact)}</dl>
    <p class="soft">${closing(run)}</p>`
}

function answer(question: string, tone: Tone, sign: string, word: string, detail: Hole): Markup {
  return html`<div class="${tone}">
    <h2>${question}</h2>
    <p class="answer"><span aria-hidden="true">${sign}</span> ${word}</p>
    ${detail}
  </div>`
}

function conformance(run: Run): Markup {
  const { word, sign, means, tone } = conformanceWords[run.record.conformance]
  const missing = leftOutWords(run)
  const words = missing === '' ? means : `${means} ${missing}.`
  return answer('Conformance', tone, sign, word, html`<p>${words}</p>`)
}

function gate({ record }: Run): Markup {
  const { passed, because, stalePolicy } = record.gate
  const reasons = [...new Set([...because, ...stalePolicy])]
  const [tone, sign, word] = passed ? (['good', '✓', 'passed'] as const) : (['bad', '✗', 'failed'] as const)
  const code = html`<p>
    Exit code ${record.exitCode}. ${passed ? 'Nothing stands against it under the policy.' : nothing}
  </p>`
  return answer('Gate', tone, sign, word, [code, ...reasons.map(reason)])
}

/** A reason that names checks folds them away: they are told one by one below. */
function reason(words: string): Markup {
  const [, says, names] = /^([^:]+): (.+\/.+)$/s.exec(words) ?? []
  if (says === undefined || names === undefined) return html`<p>${words}</p>`
  return html`<details>
    <summary>${says}</summary>
    <p>${names}</p>
  </details>`
}

interface Fact {
  name: string
  value: string
  /** `good` where there is nothing to look at. */
  tone: Tone
  /** Where it is told. */
  at?: string
  detail?: Hole
}

const signs: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', doubt: '–', quiet: '·' }

function fact({ name, value, tone, at, detail }: Fact): Markup {
  const words = signed(signs[tone], value, tone)
  return html`<div>
    <dt>${name}</dt>
    <dd>${at === undefined ? words : html`<a href="#${at}">${words}</a>`}</dd>
    ${detail === undefined ? nothing : html`<dd class="soft">${detail}</dd>`}
  </div> `
}

function facts(run: Run, clauses: readonly ClauseRow[], together: readonly Finding[]): readonly Fact[] {
  return [failed(together), notShown(clauses), plan(run), waived(run), warned(together), signature(run)]
}

function failed(rows: readonly Finding[]): Fact {
  const of = (wanted: Finding['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length
  const [failures, errors] = [of('fail'), of('error')]
  const count = failures + errors
  const detail = errors > 0 ? `${counted(errors, 'error')} of Touchstone among them` : undefined
  const value = count === 0 ? 'none' : counted(count, 'check')
  return {
    name: 'Failures',
    value,
    tone: count > 0 ? 'bad' : 'good',
    at: 'failures',
    ...(detail === undefined ? {} : { detail }),
  }
}

function notShown(clauses: readonly ClauseRow[]): Fact {
  const [open, beyond] = [undemonstrated(clauses).length, beyondChecks(clauses).length]
  const musts = clauses.filter(({ level, counts }) => level === 'must' && counts).length
  const detail = beyond > 0 ? `and ${beyond} that no check covers` : undefined
  return {
    name: 'Musts not demonstrated',
    value: open === 0 ? 'none' : `${open} of ${musts}`,
    tone: open > 0 ? 'doubt' : 'good',
    at: 'not-shown',
    ...(detail === undefined ? {} : { detail }),
  }
}

function plan(run: Run): Fact {
  const { whole, judged, planned } = completeness(run)
  return {
    name: 'Plan',
    value: `${judged} of ${planned}`,
    tone: whole ? 'good' : 'bad',
    at: 'identity',
    detail: 'planned checks have a verdict',
  }
}

function waived({ record }: Run): Fact {
  const rows = waivedOf(record.findings)
  const [next] = rows.map(({ waived: { expires } }) => expires).toSorted()
  if (next === undefined) return { name: 'Waivers', value: 'none', tone: 'quiet', at: 'waivers' }
  const detail = `next expires ${next}, ${daysLeft(next, record.run.endedAt)}`
  return { name: 'Waivers', value: counted(rows.length, 'check'), tone: 'doubt', at: 'waivers', detail }
}

function warned(rows: readonly Finding[]): Fact {
  const count = rows.filter(({ verdict }) => verdict === 'warn').length
  const value = count === 0 ? 'none' : counted(count, 'check')
  const tone = count > 0 ? 'doubt' : 'good'
  return count > 0 ? { name: 'Warnings', value, tone, at: 'warnings' } : { name: 'Warnings', value, tone }
}

function signature({ record: { signing } }: Run): Fact {
  if (!signing) return { name: 'Signature', value: 'unsigned', tone: 'quiet', at: 'identity' }
  return {
    name: 'Signature',
    value: `key ${signing.keyid.slice(0, 8)}`,
    tone: 'quiet',
    at: 'identity',
    detail: html`checked by <code>touchstone verify</code>, not by this page`,
  }
}

function closing(run: Run): Markup {
  const { used, run: how, tool } = run.record
  return html`${closingLine(rowsOf(run))}. ${clockTime(how.startedAt)}, ${duration(used.wallSeconds)},
  ${how.profile} profile, seed ${how.seed}: ${counted(used.requests, 'request')},
  ${counted(used.turns, 'turn')}, ${counted(used.credits, 'credit')}. ${tool.name} ${tool.version}.`
}
