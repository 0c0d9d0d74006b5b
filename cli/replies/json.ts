/** Members of an unknown JSON object. */
import { isObject } from '../../spec/json.ts'
export type Members = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The JSON object in a text, or undefined. */
export function objectIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
