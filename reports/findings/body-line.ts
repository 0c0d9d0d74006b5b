/** A body in one line that fits. */
import { visibleLine } from '../visible.ts'
import { runLengths } from './run-lengths.ts'

/** Characters of a string inside a JSON body that is too long to be shown whole. */
const mostOfString = 24

/**
 * Returns a body as it is if it fits `line` characters, an event stream as its event types. A longer JSON body starts
 * at the first of `members` that occurs in it once, and otherwise has its strings cut; either fits two lines.
 */
export function bodyLine(body: string, line: number, members: readonly string[] = []): string {
  const events = [...body.matchAll(/^data: ?\{"type":"([\w.]+)"/gm)].map(([, name = '']) => name)
  const most = Math.max(2 * line - 12, line)
  if (events.length > 0) return cut(`events: ${runLengths(events).join(', ')}`, most)
  const text = visibleLine(body.trim())
  if (text.length <= line) return text
  const member = members.map((name) => `"${name}":`).find((name) => text.split(name).length === 2)
  if (member !== undefined && text.indexOf(member) > line / 2)
    return cut(`…${withShortStrings(text.slice(text.indexOf(member)))}`, most)
  return cut(withShortStrings(text), most)
}

/** Up to its end, or to the end of the text: to look for an end from each quote would take hours in a large body. */
const string = /"((?:[^"\\]|\\.)*)("?:?)/g

/** Members keep their names. */
function withShortStrings(text: string): string {
  return text.replaceAll(string, (whole, inner: string, end: string) =>
    end !== '":' && inner.length > mostOfString
      ? `"${inner.slice(0, mostOfString - 4).toWellFormed()}…${end}`
      : whole,
  )
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
