/**
 * What an event stream says piece by piece: the texts of one name in successive events, put together. A secret may lie
 * in several of them, whole in none.
 */
import type { Hit } from './hits.ts'

/** A text as it stands in the body, with its escapes and without its quotes. */
interface Fragment {
  start: number
  end: number
}

/**
 * The hits that lie across events, as places in the body: the token stands in the first event, and what is left of
 * the secret goes out of those after it. `body` is binary text.
 */
export function acrossEvents<H extends Hit>(
  body: string,
  find: (text: string) => readonly H[],
): readonly H[] {
  if (!dataLine.test(body)) return []
  return [...fragmentsByName(body).values()].flatMap((fragments) => {
    const text = fragments.map(({ start, end }) => body.slice(start, end)).join('')
    return fragments.length < 2 ? [] : find(text).flatMap((hit) => placed(hit, fragments))
  })
}

const dataLine = /(?:^|[\r\n])(?:\xef\xbb\xbf)?data:/
const dataLines = /(?<=^|[\r\n]|^\xef\xbb\xbf)data: ?([^\r\n]*)/g
/** A text in JSON, and whether it names a member. One without an end reaches to that of the line: looked at but once. */
const literals = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?)?/g

function fragmentsByName(body: string): ReadonlyMap<string, readonly Fragment[]> {
  const byName = new Map<string, Fragment[]>()
  const add = (name: string, start: number, text: string): void => {
    const fragments = byName.get(name) ?? []
    fragments.push({ start, end: start + text.length })
    byName.set(name, fragments)
  }
  for (const { index, 0: line, 1: data = '' } of body.matchAll(dataLines)) {
    const from = index + line.length - data.length
    // What is no JSON is a text itself.
    if (!/^\s*["[{]/.test(data)) add('', from, data)
    else addLiterals(data, (name, at, text) => add(name, from + at, text))
  }
  return byName
}

function addLiterals(data: string, add: (name: string, start: number, text: string) => void): void {
  let name = ''
  for (const { index, 1: text = '', 2: colon } of data.matchAll(literals))
    if (colon === undefined) add(name, index + 1, text)
    else name = text
}

/** Where a place of the texts put together lies in the body; nothing where it lies in one of them alone. */
function placed<H extends Hit>(hit: H, fragments: readonly Fragment[]): readonly H[] {
  let before = 0
  const pieces: H[] = []
  for (const { start, end } of fragments) {
    const [from, to] = [Math.max(hit.start - before, 0), Math.min(hit.end - before, end - start)]
    if (from < to)
      pieces.push({
        ...hit,
        start: start + from,
        end: start + to,
        token: pieces.length === 0 ? hit.token : '',
      })
    before += end - start
  }
  return pieces.length < 2 ? [] : pieces
}
