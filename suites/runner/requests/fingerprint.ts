/** Knows a failure again: what was expected and got, without what differs from run to run. */
import { createHash } from 'node:crypto'

/** Twelve hex digits. Ids, keys, numbers and quoted texts do not count; statuses, codes and types of events do. */
export function fingerprint(expected: string, got: string): string {
  // What is missing is the same, whatever it should have been.
  if (/^no `\w+`$/.test(got)) return digest(got)
  return digest([expected, got].map((text) => withoutTexts(withoutNumbers(withoutIds(text)))).join('|'))
}

/** Knows an observation again. Its numbers count: a judge that measures one says so. */
export function fingerprintSeen(observation: string): string {
  return digest(withoutIds(observation))
}

function digest(stable: string): string {
  return createHash('sha256').update(stable).digest('hex').slice(0, 12)
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>')
    .replaceAll(/\b(?:touchstone|sk|ak|whd|test)[-_][\w-]+/g, '<key>')
}

/** A waiver of one status is none of another. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/(\bstatus )?\d+/g, (number, status?: string) =>
    status === undefined ? '#' : number,
  )
}

/** A quoted text, which may be cut off, and the colon behind it where it is the name of a member. */
const quoted = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/gs
const code = /^[A-Z][A-Z#_]+$/
const blank = '"…"'

/** Where a text was cut depends on how long its parts are, so of a cut one only the beginning counts. */
function withoutTexts(text: string): string {
  let member = ''
  let isCut = text.endsWith('…')
  const stable = text.replaceAll(quoted, (whole, content: string, end: string, colon?: string) => {
    isCut ||= end === ''
    if (colon !== undefined) {
      member = content
      return whole
    }
    const stays = code.test(content) || member === 'type'
    member = ''
    return stays ? whole : blank
  })
  const first = stable.indexOf(blank)
  return isCut && first >= 0 ? stable.slice(0, first) : stable
}
