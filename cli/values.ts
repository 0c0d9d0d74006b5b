/** Parsers of option values. Each throws an error that says which values are valid. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Io } from './io.ts'
import { codeOf } from '../reports/bundle/errors.ts'
import { UsageError } from './usage-error.ts'

export { codeOf }

/** A parser for a whole number between two bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number ${range}.`)
  }
}

/** A parser for a number above zero. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('Give a number above 0.')
}

/** For repeatable options with comma-separated values. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ]
}

/** For repeatable options whose values may contain commas. */
export function collectWhole(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Reads the secret that `env:NAME` or `file:PATH` refers to. Throws a UsageError. */
export function secret(option: string, reference: string, env: Io['env']): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(reference) ?? []
  if (kind === 'env') return nonEmpty(env[name], `${option}: environment variable ${name} is not set.`)
  if (kind === 'file') return nonEmpty(contents(option, name), `${option}: file ${name} is empty.`)
  throw new UsageError(
    `${option} does not accept a secret itself, because other users can read a command line: give env:NAME or file:PATH.`,
  )
}

function nonEmpty(value: string | undefined, message: string): string {
  const trimmed = value?.trim() ?? ''
  if (trimmed === '') throw new UsageError(message)
  return trimmed
}

function contents(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${codeOf(error)}).`)
  }
}
