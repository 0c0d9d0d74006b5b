/** A YAML text with the line of every value in it. */
import { isMap, isNode, isPair, Lexer, LineCounter, parseDocument, type Document } from 'yaml'
import { ConfigurationError } from '../target.ts'
import { baseUrlProblem } from '../../wire/route.ts'
import { headerValueProblem } from '../template.ts'
import { suggestion } from '../../../spec/nearest.ts'
import { lookUp, type Environment } from './schema.ts'

const closing: Readonly<Record<string, string>> = { '}': '{', ']': '[' }

/** Comments and quoted texts, whose brackets mean nothing. A quote inside a word is an apostrophe. */
const ignored = /(?<=^|\s)#.*|(?<=^|[\s,[{:])(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')/gm

/** The offset of the last bracket that is open at `end`; null if none is. */
function flowOpening(text: string, end: number): number | null {
  const open: number[] = []
  const blank = text.replaceAll(ignored, (part) => ' '.repeat(part.length))
  for (let i = 0; i < end; i++) {
    const character = blank.charAt(i)
    if (character === '{' || character === '[') open.push(i)
    const opening = closing[character]
    if (opening !== undefined && blank.charAt(open.at(-1) ?? -1) === opening) open.pop()
  }
  return open.at(-1) ?? null
}

export type YamlPath = readonly (string | number)[]

export interface Sourced {
  value: unknown
  /** `file:line` of the value at a path, or of the nearest one around it. */
  at: (path: YamlPath) => string
}

/** Throws a ConfigurationError for what is not YAML. */
export function readYaml(text: string, file: string): Sourced {
  if (hasManyAliases(text)) throw new ConfigurationError(`${file}: ${aliasesWithoutEnd}`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const place = (offset: number): string => `${file}:${lines.linePos(offset).line}`
  const problems = document.errors.map(
    ({ code, message, pos }) =>
      `${place(pos[0])}: ${wordsFor(code, message, text.slice(pos[0]))}${openedAt(text, message, pos[0], lines)}`,
  )
  if (problems.length > 0) throw new ConfigurationError(...problems)
  const value = valueIn(document)
  if (value === undefined) throw new ConfigurationError(`${file}: ${aliasesWithoutEnd}`)
  return {
    value: value,
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
  'its aliases (*name) are too many, lead round in a circle or grow without end; write the values out'

/** For each, the parser goes through all that is before it. */
const mostAliases = 1_000

export function hasManyAliases(text: string): boolean {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith('*')).length > mostAliases
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

/** What the reading of a target file has at hand, and how it looks things up: what is wrong is noted, not thrown. */
export interface Reading {
  sourced: Sourced
  env: Environment
  folder: string
  /** ISO date. */
  today: string
  problems: string[]
  referred: Referred[]
}

export interface Referred {
  path: YamlPath
  /** As written, such as `env:KEY`. */
  reference: string
  value: string
}

export function complain(path: YamlPath, words: string, { sourced, problems }: Reading): void {
  problems.push(`${sourced.at(path)}: ${path.join('.')} ${words}`)
}

export function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}

export function valueAt(written: string, path: YamlPath, reading: Reading): string {
  const found = lookUp(written, reading.env, reading.folder)
  if ('value' in found) {
    if (found.value !== written) reading.referred.push({ path, reference: written, value: found.value })
    return found.value
  }
  reading.problems.push(`${reading.sourced.at(path)}: ${path.join('.')}: ${found.problem}`)
  return ''
}

export function named(
  name: string,
  ids: Readonly<Record<string, string>>,
  path: YamlPath,
  reading: Reading,
): string {
  if (Object.hasOwn(ids, name)) return ids[name] ?? ''
  complain(path, `names "${name}", which is not declared; ${suggestion(name, Object.keys(ids))}`, reading)
  return ''
}

export function headerValueAt(written: string, path: YamlPath, reading: Reading): string {
  const value = valueAt(written, path, reading)
  complainOfValue(value, path, reading)
  return value
}

export function complainOfValue(value: string, path: YamlPath, reading: Reading): void {
  const problem = headerValueProblem(value)
  if (problem !== null) complain(path, problem, reading)
}

/** An http or https address, without a trailing slash. `problemOf`: what is wrong with it, if anything. */
export function address(
  url: string,
  path: YamlPath,
  reading: Reading,
  problemOf: (url: string) => string | null = baseUrlProblem,
): string {
  const problem = url === '' ? null : problemOf(url)
  if (problem !== null) complain(path, problem, reading)
  return url.replace(/\/+$/, '')
}
