/** A catalogue of another service, in a JSON file of the form that the package has its own in. */
import { isObject } from '../../../spec/json.ts'
import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { errorCodeOf, CommandUsageError } from '../usage-error.ts'

/** Throws a UsageError. */
export function catalogueIn(path: string): Catalogue {
  const read = parsed(contents(path), path)
  if (isCatalogue(read)) return read
  throw new CommandUsageError(
    `--catalogue ${path} is none: it takes {"contract": "…", "operations": {"ID": {"title": "…", "write": false, "input": {}}}}.`,
  )
}

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandUsageError(`--catalogue ${path} cannot be read (${errorCodeOf(error)}).`)
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandUsageError(`--catalogue ${path} is no JSON.`)
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
