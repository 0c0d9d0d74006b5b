/** Inputs at the edges of a schema: one that is known to fit, with one member at a bound of what it may be. */
import type { Json } from '../../../wire/json.ts'
import { isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'
import {
  boundsOf,
  isForReading,
  isReferring,
  numberIn,
  plainText,
  resolved,
  unknownKeywords,
  type Schema,
} from './schema-input.ts'

/** In the order of the schema; what has keywords that are not understood is left alone. */
export function inputEdges(written: Json | undefined, known: Json): readonly Json[] {
  const root = isObject(written) ? written : {}
  const schema = resolved(written, root)
  const properties = schema?.['properties']
  if (!schema || unknownKeywords(schema).length > 0 || !isObject(known) || !isObject(properties)) return []
  return Object.keys(properties)
    .filter((name) => !isReferring(name) && !isForReading(resolved(properties[name], root)))
    .flatMap((name) =>
      edgesOf(resolved(properties[name], root)).map((value) => ({ ...known, [name]: value })),
    )
}

/** The longest text that is worth its bytes. */
const longest = 5000

function edgesOf(schema: Schema | null): readonly Json[] {
  if (!schema || unknownKeywords(schema).length > 0) return []
  const { type, enum: choices, pattern, format } = schema
  if (isArray(choices)) return choices.slice(0, 6)
  if (type === 'integer' || type === 'number')
    return schema['multipleOf'] === undefined ? ofNumber(schema) : []
  if (type === 'boolean') return [true, false]
  if (type === 'array') return (numberIn(schema, 'minItems') ?? 0) === 0 ? [[]] : []
  if (type !== 'string' || pattern !== undefined || format !== undefined) return []
  const lengths = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')]
  return lengths.flatMap((length) => (length === undefined || length > longest ? [] : [plainText(length)]))
}

function ofNumber(schema: Schema): readonly Json[] {
  const { least, most } = boundsOf(schema)
  if (least > most) return []
  const isBound = (...names: readonly string[]) => names.some((name) => schema[name] !== undefined)
  return [
    ...(isBound('minimum', 'exclusiveMinimum') ? [least] : []),
    ...(isBound('maximum', 'exclusiveMaximum') ? [most] : []),
  ]
}
