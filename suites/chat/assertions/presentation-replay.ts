/** Judges whether a replay has the presentation of the original as a client shows it, whatever its signatures. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { isObject } from '../../../spec/json.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { fail, given, pass, warn } from '../../scenario/expect.ts'
import { buttons, presentationOf } from './presentation.ts'
import { canonical, field, succeeded } from '../../assertions/reply.ts'

/**
 * The replay has the presentation of the original. URLs may have new signatures, but no button may have changed; a
 * changed time only warns.
 */
export function samePresentation(original: Exchange, again: Exchange, dialect: Dialect): Judgement {
  return given(field(original, 'presentation', 'object'), () =>
    given(succeeded(again), () => {
      const both = [original, again].map(presentationOf)
      const alike = (by: (one: unknown) => string): boolean => new Set(both.map(by)).size === 1
      const [expected = '', got = ''] = both.map((one) => `\`presentation\`: ${excerpt(canonical(one))}`)
      const same = { field: 'presentation', sameAs: original.id } as const
      if (!alike((one) => canonical(buttons(one, dialect)))) return fail(expected, got, again, same)
      if (alike((one) => canonical(reduced(one, withoutQuery)))) return pass
      const isTime = alike((one) => canonical(reduced(one, withoutTime)))
      return isTime ? warn(expected, got, again, same) : fail(expected, got, again, same)
    }),
  )
}

const query = /((?:https?:)?\/\/[^\s?#"'<>()]+|^\/[^\s?#]*)\?[^\s#"'<>()]*/gi

const withoutQuery = (leaf: unknown): unknown =>
  typeof leaf === 'string' ? leaf.replaceAll(query, '$1') : leaf

const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/

function withoutTime(leaf: unknown): unknown {
  const isTime = typeof leaf === 'string' ? time.test(leaf) : typeof leaf === 'number' && leaf > 1e9
  return isTime ? null : withoutQuery(leaf)
}

function reduced(value: unknown, leaf: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => reduced(item, leaf))
  if (!isObject(value)) return leaf(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reduced(inner, leaf)]))
}
