/** JSON as the judges read it, and what a pointer selects in it. */
import type { Json } from '../../reports/bundle/json.ts'

export { parseJson, type Json, type JsonReading } from '../../reports/bundle/json.ts'

/** What a JSON pointer (RFC 6901) points at, or undefined where there is nothing. */
export function at(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  if (!pointer.startsWith('/'))
    throw new Error(`${JSON.stringify(pointer)} is no JSON pointer; it is empty or starts with a slash`)
  const tokens = pointer.slice(1).split('/')
  return tokens.map(unescape).reduce<Json | undefined>(step, value)
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function step(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, token) ? value[token] : undefined
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
