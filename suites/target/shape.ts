/** Holds a target file against its schema, in words that say what to change. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { pathOf, words } from './shape-words.ts'
import schema from './schema.json' with { type: 'json' }
import type { Path, Sourced } from './source-map.ts'
import type { TargetFile } from './written.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true })
const fits = ajv.compile<TargetFile>(schema)

/** The file, or one line for each thing that is wrong with it. */
export function shapeOf(sourced: Sourced): { file: TargetFile } | { problems: readonly string[] } {
  const { value } = sourced
  if (value === null)
    return { problems: [`${sourced.at([])}: the file is empty; begin with the example in the documentation`] }
  if (fits(value)) return { file: value }
  const problems = (fits.errors ?? []).map((error) => `${sourced.at(placeOf(error))}: ${words(error)}`)
  return { problems: [...new Set(problems)] }
}

function placeOf(error: ErrorObject): Path {
  const extra: unknown = error.params['additionalProperty']
  return typeof extra === 'string' ? [...pathOf(error), extra] : pathOf(error)
}
