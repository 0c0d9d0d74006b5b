/** Finds the operations in the response of discovery, as declared or by a search. */
import type { Dialect } from '../../../config/dialect.ts'
import { type Exchange, at, type Json, json } from '../../../wire/exchange.ts'
import { inside, isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'

export interface Discovered {
  id: string
  /** Undefined if there is none. */
  schema: Json | undefined
}

/** Names of an id and of a schema that the search knows; the first that all items have counts. */
const idNames = ['id', 'operation_id', 'operationId', 'operation', 'name', 'key', 'slug']
const schemaNames = ['input_schema', 'inputSchema', 'schema', 'input', 'parameters']

/**
 * The operations in order; null if nothing looks like a list of them. `known`: expected ids; of several lists, and
 * several names of an id, those with one of them count.
 */
export function discoveredIn(
  exchange: Exchange,
  { discovery = {} }: Dialect,
  known: readonly string[] = [],
): readonly Discovered[] | null {
  const body = json(exchange)
  if (!body.ok) return null
  const lists = listsIn(body.value, discovery.list).flatMap((list) => {
    // A list as operations, for every name of an id that each of its items has.
    const pointers = discovery.id === undefined ? idNames.map((name) => `/${name}`) : [discovery.id]
    return pointers.flatMap((pointer) => {
      const ids = list.map((item) => at(item, pointer)).filter((id) => typeof id === 'string')
      if (ids.length < list.length) return []
      return [list.map((item, i) => ({ id: ids[i] ?? '', schema: schemaOf(item, discovery.schema) }))]
    })
  })
  // Objects with an operation at each id: the declared one, or those that have an expected id.
  const isSaid = discovery.list !== undefined
  const places = isSaid
    ? [at(body.value, discovery.list ?? '')]
    : [...inside(body.value)].map(({ value }) => value)
  const tables = places.filter(isObject).filter((table) => isSaid || known.some((id) => id in table))
  const interpretations = [
    ...lists,
    ...tables.map((table) =>
      Object.entries(table).flatMap(([name, item]) => {
        const id = discovery.id === undefined ? name : at(item, discovery.id)
        return typeof id === 'string' ? [{ id, schema: schemaOf(item, discovery.schema) }] : []
      }),
    ),
  ]
  return (
    interpretations.find((found) => found.some(({ id }) => known.includes(id))) ?? interpretations[0] ?? null
  )
}

/** Without a declaration every list of objects, an empty one only if there is no other list. */
function listsIn(body: Json, declared: string | undefined): readonly (readonly Json[])[] {
  if (declared !== undefined) {
    const list = at(body, declared)
    return isArray(list) ? [list] : []
  }
  const lists = [...inside(body)].map(({ value }) => value).filter(isArray)
  const full = lists.filter((list) => list.length > 0 && list.every(isObject))
  return full.length > 0 ? full : lists.filter(({ length }) => length === 0).slice(0, 1)
}

function schemaOf(item: Json, declared: string | undefined): Json | undefined {
  if (declared !== undefined) return at(item, declared)
  // A JSON Schema is an object or a boolean.
  return schemaNames
    .map((name) => at(item, `/${name}`))
    .find((value) => isObject(value) || typeof value === 'boolean')
}
