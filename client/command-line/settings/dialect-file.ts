/** A dialect in a JSON or YAML file, in the form of the library's `dialect`. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { dialectOf, type Dialect, type Partly } from '../../options/dialect.ts'
import { InvalidCall } from '../../errors.ts'
import { errorCodeOf, CommandUsageError } from '../usage-error.ts'

/** Throws a UsageError. */
export function dialectIn(path: string): Partly<Dialect> {
  return checked(`--dialect ${path}`, parsed(contents(path), path))
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

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandUsageError(`--dialect ${path} cannot be read (${errorCodeOf(error)}).`)
  }
}

/** JSON is YAML, too. */
function parsed(text: string, path: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const [words = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new CommandUsageError(`--dialect ${path} is neither JSON nor YAML: ${words.replace(/:$/, '.')}`)
  }
}
