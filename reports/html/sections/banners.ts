/** What has to be known before any answer of the page is believed. */
import type { Run } from '../../bundle/record.ts'
import { isCapped } from '../../run/early-end.ts'
import type { Beside } from '../../formats/exporter.ts'
import { completeness } from '../../verdicts/rows.ts'
import { scopeLines } from '../../run/scope.ts'
import { shorten } from '../../visible.ts'
import { html } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { counted } from '../elements/words.ts'

const mostNames = 10
const mostWords = 300

export function banners(run: Run, { ends }: Beside): readonly Markup[] {
  const { target, run: how } = run.record
  return [
    ...(target.kind === 'simulator'
      ? [banner('Simulator run.', 'It says nothing about the live service.')]
      : []),
    ...scopeLines(run.record).map(({ title, words }) => banner(`${title}.`, `${shorten(words, mostWords)}.`)),
    ...(how.lifecycle === 'interrupted' ? [banner('Interrupted.', interrupted(run))] : []),
    ...(how.lifecycle === 'target-lost'
      ? [banner('Ended early.', 'The target stopped responding. What had not run by then is not tested.')]
      : []),
    ...(how.lifecycle === 'crashed' ? [banner('Cut off.', crashed(ends))] : []),
    ...incomplete(run),
  ]
}

export function banner(title: string, words: Hole): Markup {
  return html`<p class="banner"><strong>${title}</strong> ${words}</p> `
}

function interrupted({ record }: Run): string {
  const early = record.findings.filter(
    ({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted',
  )
  const by = isCapped(record) ? 'A limit of the run was reached' : 'The run was ended early'
  return early.length === 0 ? `${by}.` : `${by}: ${counted(early.length, 'check')} not run.`
}

function crashed(ends = 'the run was killed.'): string {
  const words = shorten(ends, mostWords)
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)} What had not run by then was not tested.`
}

function incomplete(run: Run): readonly Markup[] {
  const { missing, unplanned, repeated, whole } = completeness(run)
  if (whole) return []
  const faults = [
    named(
      'planned without a result',
      missing.map(({ check }) => check),
    ),
    named('not planned', unplanned),
    named('with more than one result', repeated),
  ]
  return [
    banner('The results do not match the plan.', html`${faults.filter((words) => words !== '').join('; ')}.`),
  ]
}

function named(what: string, checks: readonly string[]): string {
  if (checks.length === 0) return ''
  const rest = checks.length - mostNames
  return `${what}: ${checks.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
