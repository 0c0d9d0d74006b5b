/** Holds a target file against its schema, in words that say what to change. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { keyPathOf, words } from './shape-words.ts'
import schema from '../schema.json' with { type: 'json' }
import type { YamlPath, Sourced } from './source-map.ts'
import type { KnownFailure, WrittenPolicy } from '../../policy/policy.ts'
import type { TargetFile } from '../target.ts'

interface Compiled {
  ajv: Ajv2020
  fits: ValidateFunction<TargetFile>
}

/** Compiled for the first file: many who load this read none. */
let compiled: Compiled | undefined
function compile(): Compiled {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false })
  return { ajv, fits: ajv.compile<TargetFile>(schema) }
}

/** The file, or one line for each thing that is wrong with it. `reported`: paths whose problems are known. */
export function shapeOf(
  sourced: Sourced,
  reported: readonly YamlPath[] = [],
): { file: TargetFile } | { problems: readonly string[] } {
  const { value } = sourced
  if (value === null)
    return {
      problems: [
        `${sourced.at([])}: the file is empty; \`touchstone init NEW.yaml\` writes one with every key`,
      ],
    }
  const { fits } = (compiled ??= compile())
  if (fits(value)) return { file: value }
  const known = new Set(reported.map((path) => path.join('.')))
  const errors = fits.errors?.filter((error) => !known.has(placeOf(error).join('.')))
  return { problems: shapeProblems(errors, sourced) }
}

/** Parts that may be in a file of their own. */
export interface Parts {
  policy: WrittenPolicy
  knownFailures: readonly KnownFailure[]
}

/** The same for a part: there, nothing is as good as an empty one. */
export function partOf<P extends keyof Parts>(
  part: P,
  sourced: Sourced,
): { value: Parts[P] } | { problems: readonly string[] } {
  const value = sourced.value ?? (part === 'policy' ? {} : [])
  const { ajv } = (compiled ??= compile())
  const fits = ajv.getSchema(`${schema.$id}#/$defs/${part}`)
  if (!fits) throw new Error(`the schema of the target file has no definition of ${part}`)
  return fits(value) ? { value: value as Parts[P] } : { problems: shapeProblems(fits.errors, sourced) }
}

/** One line for each error, with its place. */
export function shapeProblems(
  errors: readonly ErrorObject[] | null | undefined,
  sourced: Sourced,
): readonly string[] {
  const problems = (errors ?? []).map((error) => `${sourced.at(placeOf(error))}: ${words(error)}`)
  return [...new Set(problems)]
}

function placeOf(error: ErrorObject): YamlPath {
  const extra: unknown = error.params['additionalProperty']
  return typeof extra === 'string' ? [...keyPathOf(error), extra] : keyPathOf(error)
}
