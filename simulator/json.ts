/** JSON as data. */
import { isObject, type Json } from '../spec/json.ts'

export { isObject, type Json, type JsonObject } from '../spec/json.ts'

/** JSON can be read deeper than it can be written; nothing of the service is nearly so deep. */
const mostLevels = 100

/** Whether a value is nested no deeper than anything of the service is. */
export function isShallow(value: Json, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner: Json) => isShallow(inner, levels - 1))
}

/** The same value always gives the same text, whatever the order of its members. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`
}
