/** JSON that somebody typed: one complete value, with nothing left out and nothing spread into it. */
import { CommandUsageError } from '../usage-error.ts'

const text = /"(?:[^"\\]|\\.)*"/gs

/** Throws a UsageError, which does not repeat what was typed. */
export function jsonValue(option: string, typed: string): unknown {
  const between = typed.replaceAll(text, '""')
  if (/\.\.\.\s*[\w$[{("]/.test(between))
    throw new CommandUsageError(
      `${option} has spread syntax: JSON has none, so write out what it stands for.`,
    )
  if (/…|\.\.\./.test(between))
    throw new CommandUsageError(
      `${option} has an ellipsis: write out what was left away, nothing is filled in.`,
    )
  try {
    return JSON.parse(typed)
  } catch {
    throw new CommandUsageError(
      `${option} is not one complete JSON value: mind quotes and brackets, and that the shell leaves it in one piece.`,
    )
  }
}

/** The same, of an object. */
export function jsonObject(option: string, typed: string): Record<string, unknown> {
  const value = jsonValue(option, typed)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new CommandUsageError(`${option} takes a JSON object, such as {"member": "value"}.`)
}
