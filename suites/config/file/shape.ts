/** Holds a target file against its schema, in words that say what to change. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { keyPathOf, nearMiss, words } from './shape-words.ts'
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

/** They make a value wrong, and no less readable. */
const readable: readonly string[] =
  'pattern minLength maxLength minItems maxItems minProperties uniqueItems minimum maximum exclusiveMinimum'.split(
    ' ',
  )

/** Parts of which nothing else in a file depends on. */
const independent: readonly unknown[] = ['states', 'budgets', 'dialect', 'optIn', 'profile']

/**
 * A file whose shape is wrong, with near misses as they were meant, and without what cannot be read, so that the rest
 * can be checked too. Null if more depends on that.
 */
export function repaired({ value }: Sourced): TargetFile | null {
  const { fits } = (compiled ??= compile())
  const file: unknown = structuredClone(value)
  for (let round = 0; round < 9 && !fits(file); round++) {
    const wrong = fits.errors?.filter(({ keyword }) => !readable.includes(keyword)) ?? []
    // A required key may only be misspelt.
    const unknown = wrong.filter(isUnknown)
    if (!(unknown.length > 0 ? unknown : wrong).every((error) => repair(file, error))) return null
  }
  return file as TargetFile
}

const isUnknown = ({ keyword }: ErrorObject): boolean => keyword === 'additionalProperties'

function repair(file: unknown, error: ErrorObject): boolean {
  const [place, meant] = [placeOf(error), nearMiss(error)]
  const isLeaf = isUnknown(error) || meant !== undefined
  if (!isLeaf && !independent.includes(place[0])) return false
  const path = isLeaf ? place : place.slice(0, 2)
  const table = (at: Members | undefined, name: string | number) => at?.[name] as Members | undefined
  const members = path.slice(0, -1).reduce(table, file as Members) ?? {}
  const key = String(path.at(-1))
  if (isUnknown(error) && meant !== undefined) members[meant] ??= members[key]
  if (isUnknown(error) || meant === undefined) delete members[key]
  else members[key] = meant
  return true
}

type Members = Record<string, unknown>

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
