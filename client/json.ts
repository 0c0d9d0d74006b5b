/** JSON as the service sends it. */
import { isObject, type JsonObject } from '../spec/json.ts'

export { isObject, type JsonObject } from '../spec/json.ts'

const { rawJSON } = JSON as { rawJSON?: (text: string) => object }

/**
 * A whole number beyond what a double holds would go back as another one, such as the `runId` of a button that is
 * copied: where the platform can, it keeps its digits, and is written so by `JSON.stringify`.
 */
function exactly(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !rawJSON) return value
  if (source === undefined || !/^-?\d+$/.test(source)) return value
  return Number.isFinite(value) && BigInt(value) === BigInt(source) ? value : rawJSON(source)
}

/** Undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactly) as unknown
  } catch {
    return undefined
  }
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** What a JSON pointer leads to; undefined where it leads nowhere. */
function at(pointer: string, value: unknown): unknown {
  return stepsOf(pointer).reduce((inside: unknown, name) => {
    const members = inside as JsonObject | null | undefined
    return typeof inside === 'object' && members && Object.hasOwn(members, name) ? members[name] : undefined
  }, value)
}

/** The first of what these pointers lead to that is as it is wanted. */
export function firstAt<T>(
  pointers: readonly string[],
  value: unknown,
  wanted: (found: unknown) => found is T,
): T | undefined {
  return pointers.map((pointer) => at(pointer, value)).find(wanted)
}

/** A copy of the value with that in the place of the pointer, with objects on the way there. */
export function placed(value: unknown, pointer: string, inside: unknown): unknown {
  const put = (whole: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return inside
    const members = isObject(whole) ? whole : {}
    return { ...members, [step]: put(members[step], rest) }
  }
  return put(value, stepsOf(pointer))
}

/** An id is a text; some services count. */
export const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

export const isJsonArray = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'
