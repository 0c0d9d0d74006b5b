/** A YAML text with the line of every value in it. */
import { isMap, isNode, isPair, LineCounter, parseDocument, type Document } from 'yaml'
import { ConfigurationError } from '../configuration-error.ts'
import { flowOpening } from './flow-opening.ts'

export type YamlPath = readonly (string | number)[]

export interface Sourced {
  value: unknown
  /** `file:line` of the value at a path, or of the nearest one around it. */
  at(path: YamlPath): string
}

/** Throws a ConfigurationError for what is not YAML. */
export function readYaml(text: string, file: string): Sourced {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const place = (offset: number): string => `${file}:${lines.linePos(offset).line}`
  const problems = document.errors.map(
    ({ code, message, pos }) =>
      `${place(pos[0])}: ${wordsFor(code, message, text.slice(pos[0]))}${openedAt(text, message, pos[0], lines)}`,
  )
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return {
    value: valueOf(document, file),
    at(path) {
      for (let depth = path.length; depth > 0; depth--) {
        const offset = keyOffset(document.getIn(path.slice(0, depth - 1), true), path[depth - 1])
        if (offset !== undefined) return place(offset)
      }
      return file
    },
  }
}

/** An unclosed flow collection is noticed far below the place where it has to be closed. */
function openedAt(text: string, message: string, end: number, lines: LineCounter): string {
  const offset = /^Flow (?:map|sequence)/.test(message) ? flowOpening(text, end) : null
  if (offset === null) return ''
  const { line, col } = lines.linePos(offset)
  return `; the ${text.charAt(offset)} was opened on line ${line}, column ${col}`
}

export const aliasesWithoutEnd =
  'its aliases (*name) lead round in a circle or grow without end; write the values out'

function valueOf(document: Document, file: string): unknown {
  const value = valueIn(document)
  if (value === undefined) throw new ConfigurationError(`${file}: ${aliasesWithoutEnd}`)
  return value
}

/** Aliases may stand for what they are part of, or for more than fits into memory: undefined then. */
export function valueIn(document: Document): unknown {
  try {
    const value: unknown = document.toJS()
    JSON.stringify(value)
    return value
  } catch {
    return undefined
  }
}

/** `rest`: the text from where the error is. */
function wordsFor(code: string, message: string, rest: string): string {
  if (code !== 'DUPLICATE_KEY') return `not YAML: ${message}`
  const key = /^["']?([^"':\s]*)/.exec(rest)?.[1]
  return `the key "${key}" stands twice; take one out`
}

/** Where the key stands, rather than its value: a value may begin on a later line. */
function keyOffset(parent: unknown, name: string | number | undefined): number | undefined {
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === String(name))
    return isPair(pair) && isNode(pair.key) ? pair.key.range?.[0] : undefined
  }
  const item =
    isNode(parent) && 'items' in parent && Array.isArray(parent.items)
      ? parent.items[Number(name)]
      : undefined
  return isNode(item) ? item.range?.[0] : undefined
}
