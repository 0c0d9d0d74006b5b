/** The top of the page: what was run against what, and the answers it gave. */
import type { Run } from '../../suites/record.ts'
import { clockTime, duration } from '../duration.ts'
import { completeness, rowsOf, leftOutWords } from '../rows.ts'
import { closingLine } from '../tally.ts'
import { conformanceWords } from '../verdicts.ts'
import type { Tone } from '../verdicts.ts'
import { underTest } from '../under-test.ts'
import { html } from './escape.ts'
import type { Hole, Markup } from './escape.ts'

export function head(run: Run): Markup {
  const { target, used, contract } = run.record
  const product = underTest(target)
  return html`<h1>Contract run against ${target.name}</h1>
    <p class="soft">${target.kind} at <code>${target.baseUrl}</code>${product && `: ${product}`}</p>
    <div class="answers">${conformance(run)}${gate(run)}${plan(run)}</div>
    <p>${closingLine(rowsOf(run))}</p>
    <p class="soft">
      ${used.requests} requests, ${used.turns} turns, ${used.credits} credits, ${duration(used.wallSeconds)}.
      ${identity(run)} Clauses of ${contract.revision}, digest ${contract.digest.slice(0, 16)}.
    </p>`
}

function answer(question: string, tone: Tone, words: string, detail: Hole): Markup {
  return html`<div class="${tone}">
    <h2>${question}</h2>
    <strong>${words}</strong>
    ${detail}
  </div>`
}

function conformance(run: Run): Markup {
  const { word, sign, means, tone } = conformanceWords[run.record.conformance]
  const missing = leftOutWords(run)
  return answer('Conformance', tone, `${sign} ${word}`, missing === '' ? means : `${means} ${missing}.`)
}

function gate({ record }: Run): Markup {
  const { passed, because, stalePolicy } = record.gate
  const words = `${passed ? '✓ passed' : '✗ failed'}, exit code ${record.exitCode}`
  const reasons = [...new Set([...because, ...stalePolicy])]
  return answer('Gate', passed ? 'good' : 'bad', words, reasons.map(reason))
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

function plan(run: Run): Markup {
  const { whole, judged, planned } = completeness(run)
  const words = `${whole ? '✓' : '✗'} ${judged} of ${planned} checks have a verdict`
  const early = run.record.run.lifecycle === 'interrupted' ? 'The run was interrupted. ' : ''
  return answer(
    'Plan',
    whole ? 'good' : 'bad',
    words,
    `${early}Digest ${run.record.plan.digest.slice(0, 16)}`,
  )
}

function identity({ record: { run, tool } }: Run): Markup {
  return html`${clockTime(run.startedAt)}, ${run.profile} profile, seed ${run.seed}, run
    <code>${run.id}</code>; ${tool.name} ${tool.version} on Node ${tool.node}.`
}
