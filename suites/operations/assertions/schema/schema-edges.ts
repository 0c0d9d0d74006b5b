/** Inputs at the limits of a schema: a valid one, with one member at a bound. */
import type { Json } from '../../../wire/json.ts'
import { isArray } from '../../../assertions/pointer.ts'
import { isObject } from '../../../../spec/json.ts'
import {
  boundsOf,
  isForReading,
  isReferring,
  numberMember,
  plainText,
  resolvedSchema,
  unknownKeywords,
  type Schema,
} from './schema-input.ts'

/** In the order of the schema; members with unknown keywords are skipped. */
export function inputEdges(written: Json | undefined, known: Json): readonly Json[] {
  const root = isObject(written) ? written : {}
  const schema = resolvedSchema(written, root)
  const properties = schema?.['properties']
  if (!schema || unknownKeywords(schema).length > 0 || !isObject(known) || !isObject(properties)) return []
  return Object.keys(properties)
    .filter((name) => !isReferring(name) && !isForReading(resolvedSchema(properties[name], root)))
    .flatMap((name) =>
      edgesOf(resolvedSchema(properties[name], root)).map((value) => ({ ...known, [name]: value })),
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
  if (type === 'array') return (numberMember(schema, 'minItems') ?? 0) === 0 ? [[]] : []
  if (type !== 'string' || pattern !== undefined || format !== undefined) return []
  const lengths = [numberMember(schema, 'minLength'), numberMember(schema, 'maxLength')]
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
