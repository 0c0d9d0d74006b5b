/** Writing at a JSON pointer. Reading at one stands in `wire/json.ts`. */
import { isObject } from '../../spec/json.ts'
import type { Json } from '../wire/exchange.ts'

/**
 * The same value with another at a pointer; what is missing on the way there is made, as objects. An object that is
 * put at the empty pointer joins the members that are there.
 */
export function put(into: Json, pointer: string, value: Json): Json {
  if (pointer === '') return isObject(into) && isObject(value) ? { ...into, ...value } : value
  return putAt(into, stepsOf(pointer), value)
}

function putAt(into: Json, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value
  if (isArray(into)) return into.map((item, i) => (String(i) === step ? putAt(item, rest, value) : item))
  const members = isObject(into) ? into : {}
  const inner = Object.hasOwn(members, step) ? (members[step] ?? {}) : {}
  return { ...members, [step]: putAt(inner, rest, value) }
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Every value inside a value with the way to it, those nearest to the top first; itself, too. */
export function* inside(value: Json): Generator<{ value: Json; name: string; parent: string }> {
  let level: { value: Json; name: string; parent: string }[] = [{ value, name: '', parent: '' }]
  while (level.length > 0) {
    yield* level
    level = level.flatMap(({ value: outer, name: parent }) =>
      typeof outer === 'object' && outer !== null
        ? Object.entries(outer).map(([name, inner]) => ({ value: inner, name, parent }))
        : [],
    )
  }
}
