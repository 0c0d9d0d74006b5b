/** Values of options: each parser gives a value or throws a line that says what would do. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

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

/** For options that may be given several times, and take several values between commas. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ]
}

/** For options that may be given several times, and whose values may have commas in them. */
export function collectWhole(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** The secret that `env:NAME` or `file:path` names. A secret itself would stay in the shell's history. */
export function secret(option: string, reference: string, env: Io['env']): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(reference) ?? []
  if (kind === 'env') return filled(option, reference, env[name])
  if (kind === 'file') return filled(option, reference, contents(option, name))
  throw new UsageError(
    `${option} takes no secret itself, because others can read a command line: give env:NAME or file:PATH.`,
  )
}

function filled(option: string, reference: string, value: string | undefined): string {
  const trimmed = value?.trim() ?? ''
  if (trimmed === '')
    throw new UsageError(`${option} ${reference}: there is nothing in it; put the value there first.`)
  return trimmed
}

function contents(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${codeOf(error)}).`)
  }
}

/** The code of a system error, such as ENOENT, or its words. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
