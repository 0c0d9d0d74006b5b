/** Holds a target file against its schema, in words that say what to change. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import schema from '../schema.json' with { type: 'json' }
import type { YamlPath, Sourced } from './source-map.ts'
import type { KnownFailure, WrittenPolicy } from '../../policy/policy.ts'
import type { TargetFile } from '../target.ts'
import { nearest, suggestion } from '../../../spec/nearest.ts'

/** What the schema finds wrong, in words that say what to change. */
function keyPathOf({ instancePath }: ErrorObject): YamlPath {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Words = (about: { name: string; given: string; error: ErrorObject }) => string

const byKeyword: Readonly<Record<string, Words>> = {
  additionalProperties({ name, error }) {
    const key = String(error.params['additionalProperty'])
    const inside = name === whole ? '' : ` in ${name}`
    const isOfTarget =
      keysOf(error).includes('target') && Object.hasOwn(schema.properties.target.properties, key)
    return `unknown key "${key}"${inside}; ${isOfTarget ? 'it belongs below `target`' : suggestion(key, keysOf(error))}`
  },
  required({ name, error }) {
    const key = String(error.params['missingProperty'])
    // The list of states is long, and none of it can be guessed.
    const source =
      name === whole && key === 'states' ? ', or copy the list that `touchstone init NEW.yaml` writes' : ''
    return `${name} lacks "${key}"; add it${source}`
  },
  enum: ({ name, given, error }) =>
    `${name} is ${given}; ${suggestion(String(error.data), error.params['allowedValues'] as string[])}`,
  const: ({ name, given, error }) =>
    `${name} is ${given}; it has to be ${JSON.stringify(error.params['allowedValue'])}`,
  type: ({ name, given, error }) => `${name} is ${given}; give ${kindsOf(error)}${exampleOf(error)}`,
  pattern: ({ name, given }) =>
    `${name} is ${given}; give ${forms.find(([end]) => end.test(name))?.[1] ?? 'a JSON pointer such as /error/code'}`,
  minLength: ({ name }) => `${name} is empty; write something, or take it out`,
  maxLength: ({ name, error }) => `${name} is too long; give at most ${error.params['limit']} characters`,
  minItems: ({ name }) => `${name} is empty; name at least one, or take it out`,
  minProperties: ({ name }) => `${name} is empty; name at least one`,
  minimum: ({ name, given, error }) => `${name} is ${given}; give ${error.params['limit']} or more`,
  exclusiveMinimum: ({ name, given, error }) =>
    `${name} is ${given}; give more than ${error.params['limit']}`,
  uniqueItems: ({ name, error }) => {
    const twice: unknown = Array.isArray(error.data) ? error.data[Number(error.params['i'])] : undefined
    return `${name} has ${JSON.stringify(twice)} twice; take one out`
  },
}

const whole = 'the file'

function nearMiss(error: ErrorObject): string | undefined {
  const { params, data } = error
  if (Array.isArray(params['allowedValues']))
    return nearest(String(data), params['allowedValues'].map(String))
  const key: unknown = params['additionalProperty']
  return typeof key === 'string' ? nearest(key, keysOf(error)) : undefined
}

/** One line without the place. A secret is not repeated: it may be the very thing. */
function words(error: ErrorObject): string {
  const { keyword, message = 'is wrong' } = error
  const name = keyPathOf(error).join('.') || whole
  if (error.schemaPath.includes('secret'))
    return `${name} is a secret; give it as env:NAME or file:path, never as itself`
  const given = shown(error.data)
  return byKeyword[keyword]?.({ name, given, error }) ?? `${name} is ${given}; it ${message}`
}

function shown(data: unknown): string {
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object' && data !== null) return 'a table of keys'
  // YAML has values that JSON has no text for, such as what a tag without a value stands for.
  const text = JSON.stringify(data) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function keysOf({ parentSchema }: ErrorObject): readonly string[] {
  const properties: unknown = parentSchema?.['properties']
  return typeof properties === 'object' && properties ? Object.keys(properties) : []
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'keys with values',
}

function kindsOf({ params }: ErrorObject): string {
  const types = [params['type']].flat().map(String)
  return types.map((type) => kinds[type] ?? type).join(' or ')
}

function exampleOf({ parentSchema }: ErrorObject): string {
  const examples: unknown = parentSchema?.['examples']
  return Array.isArray(examples) ? ` such as ${JSON.stringify(examples[0])}` : ''
}

/** By the end of the path: what has a pattern, and an example that fits. */
const forms: readonly (readonly [end: RegExp, form: string])[] = [
  [/^name$/, 'the name of a month such as 2027-03, or of a draft such as 2027-03-draft.1'],
  [/^(change|add)\.[^.]+\.(text|source)$/, 'one line of text'],
  [/(expires|created)$/, 'a date such as 2030-01-31'],
  [/issue$/, 'an address such as https://tracker.example/issues/7'],
  [/fingerprint$/, 'the twelve hex digits of the report'],
  [/agents$/, '"*" or a list of names under agents'],
  [/zone$/, 'a DNS zone such as moving.example.com'],
  [/listen$/, 'a host and a port such as 127.0.0.1:8080'],
  [/(echo\.message|recall\.tell)$/, 'a message with {text} in it'],
  [/path$/, 'a path such as /api/v1/uploads'],
]

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

/** `isIgnored`: of the place of a problem; that of a missing key is where it would be. */
export function shapeOf(
  sourced: Sourced,
  isIgnored: (place: YamlPath) => boolean = () => false,
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
  const errors = fits.errors?.filter(
    (error) => !isIgnored([...placeOf(error), ...[error.params['missingProperty'] ?? []].flat().map(String)]),
  )
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
