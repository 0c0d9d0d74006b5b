/** Parsers of option values. Each throws an error that says which values are valid. */
import { once } from 'node:events'
import { readPlain, readProblem } from '../bundle/folder/plain-file.ts'
import { InvalidArgumentError } from 'commander'
import type { Io } from './io.ts'
import { alternatives } from './nearest.ts'
import { codeOf, systemReason } from '../bundle/errors.ts'
import { headerValueProblem } from '../suites/config/template.ts'
import { baseUrlProblem, namesUser } from '../suites/wire/route.ts'
import { UsageError } from './usage-error.ts'

export { codeOf, systemReason }

export const listenPort = 4020

export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number ${range}.`)
  }

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('Give a number above 0.')
}

/** Where a second value would change what decides. */
export function single(text: string, before?: string): string {
  if (before === undefined) return text
  throw new InvalidArgumentError(`It is given twice, as ${before} and ${text}: give one.`)
}

/** A parser for one part of several, such as `2/4`. */
export function shard(text: string): { number: number; of: number } {
  const [, number, of] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number)
  if (number !== undefined && of !== undefined && number >= 1 && number <= of) return { number, of }
  throw new InvalidArgumentError('Give a number and how many there are, such as 2/4; the first is 1.')
}

export const oneOf =
  (names: readonly string[]) =>
  (text: string): string => {
    if (names.includes(text)) return text
    const advice = alternatives(text, names)
    throw new InvalidArgumentError(`${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`.replace('?.', '?'))
  }

/** For repeatable options with comma-separated values. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  return [...before, ...parts.filter((part) => part !== '')]
}

/** For repeatable options whose values may contain commas. */
export const collectWhole = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
]

/** The value of --base-url, or of another option that has an address. Throws a UsageError. */
export function baseUrlOption(text: string, option = '--base-url'): string {
  const problem = baseUrlProblem(text)
  if (problem === null) return text
  throw new UsageError(`${option} ${problem}.`)
}

/** For requests that go to this address alone. Throws a UsageError. */
export function endpointAt(what: string, text: string): URL {
  const url = URL.parse(text)
  // The words leave the value out: it holds a password.
  if (url && namesUser(url))
    throw new UsageError(`The address of ${what} names a user; leave user and password out.`)
  if (url && /^https?:$/.test(url.protocol) && url.hash === '') return url
  throw new UsageError(
    `${text}: give the address of ${what} such as http://localhost:3000/hooks, without fragment.`,
  )
}

export const isLocal = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

/** Throws a UsageError for an address at which this command listens itself: a request would be forwarded for ever. */
export function mustLeadElsewhere(option: string, url: string, at: { host: string; port: number }): void {
  const { hostname = '', port = '', protocol } = URL.parse(url) ?? {}
  const isHere = hostname === at.host || (isLocal(hostname) && isLocal(at.host))
  if (isHere && Number(port || (protocol === 'http:' ? 80 : 443)) === at.port)
    throw new UsageError(`${option}: this command listens there itself; give another address or port.`)
}

/** Reads the secret that `env:NAME` or `file:PATH` refers to. Throws a UsageError. */
export function secret(option: string, reference: string, env: Io['env']): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(reference) ?? []
  if (kind === 'env') {
    // A variable may have the name of what every object has.
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    const state = value === undefined ? 'not set' : 'empty'
    return nonEmpty(value, `${option}: environment variable ${name} is ${state}; export it first.`)
  }
  if (kind === 'file')
    return nonEmpty(fileText(name, `${option} file:${name}`), `${option}: file ${name} is empty.`)
  if (isVariableName(reference, env))
    throw new UsageError(`${option} ${reference}: did you mean env:${reference}?`)
  throw new UsageError(
    `${option} does not accept a secret itself, because other users can read a command line: give env:NAME or file:PATH.`,
  )
}

export function headerSecret(option: string, reference: string, env: Io['env']): string {
  const value = secret(option, reference, env)
  const problem = headerValueProblem(value)
  if (problem === null) return value
  throw new UsageError(`${option} ${reference}: ${problem}.`)
}

/** Whether a text is the name of an environment variable, rather than a secret, which must not be repeated. */
export const isVariableName = (text: string, env: Io['env']): boolean =>
  /^[A-Z][A-Z\d_]*$/i.test(text) && (env[text] !== undefined || /^[A-Z]+(_[A-Z\d]+)+$/.test(text))

function nonEmpty(value: string | undefined, message: string): string {
  const trimmed = value?.trim() ?? ''
  if (trimmed === '') throw new UsageError(message)
  return trimmed
}

/** The text of a file. Throws a UsageError that begins with the label. */
export function fileText(path: string, label: string): string {
  try {
    return readPlain(path).toString()
  } catch (error) {
    throw new UsageError(`${label}: ${readProblem(path, error)}`)
  }
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
