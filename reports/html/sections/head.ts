/** The first screen: what was run against what, both answers, and the numbers that they have to be read with. */
import type { Run } from '../../bundle/record.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import { clockTime, duration } from '../../duration.ts'
import { leftOutWords, rowsOf } from '../../verdicts/rows.ts'
import { howToDeclareVersion } from '../../run/origin-words.ts'
import { answerOf } from '../../run/scope.ts'
import { countsLine } from '../../verdicts/tally.ts'
import type { Tone } from '../../verdicts/verdicts.ts'
import { underTest } from '../../verdicts/under-test.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { kindAndPlace } from './identity.ts'
import { coverageTiles } from './coverage.ts'
import { facts, type Known } from './facts.ts'
import { counted, prose } from '../elements/words.ts'

export function head(run: Run, known: Known): Markup {
  const { target, contract } = run.record
  const product = [underTest(target), howToDeclareVersion(run.record)].filter(Boolean).join('; ')
  return html`<p class="eyebrow">Contract report, clauses of ${contract.revision}</p>
    <h1>${prose(target.name)}</h1>
    <p class="soft">${kindAndPlace(target)}${product && [': ', prose(product)]}</p>
    ${answers(run, known.clauses)} ${coverageTiles(known.clauses)}
    <dl class="facts">${facts(run, known)}</dl>
    <p class="soft">${closing(run)}</p>`
}

/** Conformance and gate, beside each other. */
export function answers(run: Run, clauses: readonly ClauseRow[]): Markup {
  return html`<div class="answers">${conformance(run, clauses)}${gate(run)}</div>`
}

function answer(question: string, tone: Tone, sign: string, word: string, detail: Hole): Markup {
  return html`<div class="${tone}">
    <h2>${question}</h2>
    <p class="answer"><span aria-hidden="true">${sign}</span> ${word}</p>
    ${detail}
  </div>`
}

function conformance(run: Run, clauses: readonly ClauseRow[]): Markup {
  const { word, sign, means, tone } = answerOf(run.record)
  const mustClauses = clauses.filter(({ level, counts }) => level === 'must' && counts)
  const broken = mustClauses.filter(({ verdict }) => verdict === 'fail').length
  const missing = leftOutWords(run)
  const more = missing === '' ? '' : ` ${missing}.`
  const words =
    broken > 0 ? `${broken} of ${counted(mustClauses.length, 'MUST clause')} failed.` : `${means}${more}`
  return answer('Conformance', tone, sign, word, html`<p>${words}</p>`)
}

function gate({ record }: Run): Markup {
  const { passed, because, stalePolicy } = record.gate
  const reasons = [...new Set([...because, ...stalePolicy])]
  const [tone, sign, word] = passed ? (['good', '✓', 'passed'] as const) : (['bad', '✗', 'failed'] as const)
  const code = html`<p>
    Exit code ${record.exitCode}. ${passed ? 'The policy allows this result.' : noMarkup}
  </p>`
  const question = record.plan.shard === undefined ? 'Gate' : 'This shard'
  return answer(question, tone, sign, word, [code, ...reasons.map(reason)])
}

/** A reason that names checks folds them away: each is shown below. */
function reason(words: string): Markup {
  const [, says, names] = /^([^:]+): (.+\/.+)$/s.exec(words) ?? []
  if (says === undefined || names === undefined) return html`<p>${prose(words)}</p>`
  return html`<details>
    <summary>${says}</summary>
    <p>${names}</p>
  </details>`
}

function closing(run: Run): Markup {
  const { used, run: how, tool } = run.record
  return html`Checks: ${countsLine(rowsOf(run))}. ${clockTime(how.startedAt)}, ${duration(used.wallSeconds)},
  ${how.profile} profile, seed ${how.seed}: ${counted(used.requests, 'request')}${spent(run)}. ${tool.name}
  ${tool.version}.`
}

/** A client spends nothing of ours. */
function spent({ record: { used, target } }: Run): Markup {
  if (target.kind === 'client') return noMarkup
  return html`, ${counted(used.turns, 'turn')}, ${counted(used.credits, 'credit')}`
}
