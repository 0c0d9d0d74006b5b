/** What is typed or stands in a file: each reader gives a value, or throws a UsageError that says what would do. */
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { InvalidCall } from '../../errors.ts'
import { type Dialect, type Partly, dialectOf } from '../../options/dialect.ts'
import { InvalidArgumentError } from 'commander'
import { readFileSync } from 'node:fs'
import { isObject, parsed, type JsonObject } from '../../json.ts'
import { parse } from 'yaml'

/** Something that was typed or kept cannot be used; the message says what, and what to do instead. One line. */
export class CommandUsageError extends Error {
  override name = 'UsageError'
}

/** The code of a system error, such as ENOENT, or its name: never its words, which may quote a file. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}

export function parseFilled(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It may not be empty.')
}

export function parseWholeNumber(least: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least) return value
    throw new InvalidArgumentError(`Give a whole number of at least ${least}.`)
  }
}

/**
 * Without a trailing slash. `from` is what it was given by, for the error. Throws a UsageError where it is none, or
 * where the key would cross a network in the clear: `http:` beyond this machine only where `allowHttp` says so.
 */
export function baseUrlFrom(from: string, given: string, allowHttp = false): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandUsageError(`${from} is no address: give one such as https://service.example.`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new CommandUsageError(`${from} may have no user, query or fragment: give the address alone.`)
  if (url.protocol === 'http:' && !loopback.test(url.hostname) && !allowHttp)
    throw new CommandUsageError(
      `${from} is ${url.origin}, and http: would send the key readable over the network: use https:, or add --allow-http where the network is your own.`,
    )
  return url.href.replace(/\/+$/, '')
}

const loopback = /^(127(\.\d{1,3}){3}|localhost|.+\.localhost|\[::1\])$/

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
export function jsonObject(option: string, typed: string): JsonObject {
  const value = jsonValue(option, typed)
  if (isObject(value)) return value
  throw new CommandUsageError(`${option} takes a JSON object, such as {"member": "value"}.`)
}

/** Throws a UsageError. */
export function catalogueIn(path: string): Catalogue {
  const place = `--catalogue ${path}`
  const read = parsed(textAt(place, path))
  if (read === undefined) throw new CommandUsageError(`${place} is no JSON.`)
  if (isCatalogue(read)) return read
  throw new CommandUsageError(
    `${place} is none: it takes {"contract": "…", "operations": {"ID": {"title": "…", "write": false, "input": {}}}}.`,
  )
}

/** `place`: how the file was named, for the error. Throws a UsageError. */
export function textAt(place: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandUsageError(`${place} cannot be read (${errorCodeOf(error)}).`)
  }
}

const isOperation = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['title'] === 'string' &&
  typeof value['write'] === 'boolean' &&
  (value['destructive'] === undefined || value['destructive'] === true) &&
  isObject(value['input'])

export const isCatalogue = (value: unknown): value is Catalogue =>
  isObject(value) &&
  typeof value['contract'] === 'string' &&
  isObject(value['operations']) &&
  Object.values(value['operations']).every(isOperation)

/** Throws a UsageError. JSON is YAML, too. */
export function dialectIn(path: string): Partly<Dialect> {
  const place = `--dialect ${path}`
  const text = textAt(place, path)
  try {
    return checked(place, parse(text))
  } catch (error) {
    if (error instanceof CommandUsageError) throw error
    const [words = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new CommandUsageError(`${place} is neither JSON nor YAML: ${words.replace(/:$/, '.')}`)
  }
}

/** `from`: where it is from, for the error. Throws a UsageError for what is none. */
export function checked(from: string, dialect: unknown): Partly<Dialect> {
  try {
    dialectOf(dialect as Partly<Dialect>)
    return dialect as Partly<Dialect>
  } catch (error) {
    if (error instanceof InvalidCall) throw new CommandUsageError(`${from}: ${error.message}`)
    throw error
  }
}
