/** How long a list was asked for, and how long the one is that the application reported. */
import type { Context } from '../../scenario/scenario.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { requestJson } from './request.ts'
import { reportsOf, containsValue } from './reported-reply.ts'

const longest = (value: Json): number =>
  Math.max(0, ...[...inside(value)].map(({ value: one }) => (isArray(one) ? one.length : 0)))

export function reportedItems(context: Context, step: string): number | null {
  const results = reportsOf(context, step).flatMap((line) => (line.saw === 'result' ? [line.result] : []))
  // The number of items in a text, such as a table, is unknown.
  const counted = results.filter((result) => typeof result !== 'string')
  return counted.length === 0 ? null : Math.max(...counted.map(longest))
}

/** In the query or the body, under any name. */
export function hasLimit(most: number): (exchange: Exchange) => boolean {
  return (exchange) => {
    const query = [...new URLSearchParams(exchange.request.path.split('?')[1] ?? '').values()]
    return query.includes(String(most)) || containsValue(requestJson(exchange), most)
  }
}
