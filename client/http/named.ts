/** Ids and keys, checked before they go into a path or a header. */
import { limits } from '../../spec/limits.ts'
import { InvalidCall } from '../errors.ts'

/** One step of a path; `.` and `..` would lead elsewhere. */
export function segment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new InvalidCall(`\`${name}\` is ${JSON.stringify(id)}.`, 'Give the id as the service shows it.')
  return encodeURIComponent(id)
}

/** A header takes Latin-1 without control characters, and loses blanks at either end. */
const fitsHeader = /^[!-~\u00a1-\u00ff]([ -~\u00a0-\u00ff]*[!-~\u00a1-\u00ff])?$/

export function checkKey(name: string, key: unknown): void {
  if (typeof key !== 'string' || key === '')
    throw new InvalidCall(
      `\`${name}\` is missing.`,
      'Make one up for each piece of work, keep it, and use the same one when you send that again.',
    )
  if (key.length > limits.idempotencyKeyMaxCharacters)
    throw new InvalidCall(
      `\`${name}\` has ${key.length} characters, and 255 are allowed.`,
      'Use a shorter one, such as a UUID.',
    )
  if (!fitsHeader.test(key))
    throw new InvalidCall(
      `\`${name}\` is ${JSON.stringify(key)}, which a header does not carry as it is.`,
      'Use letters, digits and signs of ASCII, without a blank at either end.',
    )
}
