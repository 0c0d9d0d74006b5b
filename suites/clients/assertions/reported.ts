/** Judgements on what the application reported; inconclusive if it reported nothing. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { check, inconclusive } from '../../scenario/expect.ts'
import { inside } from '../../assertions/pointer.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { at, type Json } from '../../wire/json.ts'
import { stepResult } from './step-result.ts'
import type { ClientReport } from '../../../reports/bundle/client-report.ts'

/** A number as such or written out; a text as such or within another. */
export function containsValue(value: Json, wanted: string | number): boolean {
  const text = String(wanted)
  return [...inside(value)].some(
    ({ value: one }) => one === wanted || (typeof one === 'string' && one.includes(text)),
  )
}

export function reportsOf(context: Context, step: string): readonly ClientReport[] {
  return stepResult(context, step)?.reported ?? []
}

export const nothingReported = inconclusive('the application reports nothing: see `touchstone {"saw":…}`')

export function reachesCaller(
  context: Context,
  step: string,
  wanted: readonly (string | number)[],
  exchange?: Exchange,
): Judgement {
  const reported = reportsOf(context, step)
  if (reported.length === 0) return nothingReported
  const missing = wanted.filter((one) => !reported.some((line) => containsValue(line, one)))
  const got = `without ${missing.join(' and ')}: ${excerpt(JSON.stringify(reported))}`
  return check(missing.length === 0, `reports that contain ${wanted.join(' and ')}`, got, exchange)
}

export function resultHas(
  context: Context,
  step: string,
  places: Readonly<Record<string, Json>>,
  exchange?: Exchange,
): Judgement {
  const results = reportsOf(context, step).filter(({ saw }) => saw === 'result')
  const [result] = results.map((line) => (line.saw === 'result' ? line.result : null))
  if (result === undefined) return nothingReported
  const wrong = Object.entries(places).filter(([place, wanted]) => at(result, place) !== wanted)
  const expected = wrong.map(([place, wanted]) => `${JSON.stringify(wanted)} at ${place}`).join(' and ')
  return check(wrong.length === 0, expected, excerpt(JSON.stringify(result)), exchange)
}
