/** Reading a control request: its body against the published schema, and its query. */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import control from '../../spec/schemas/control.json' with { type: 'json' }
import replyRule from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import type { components } from '../../spec/types/control.ts'
import { isShallow } from '../json.ts'
import { fixedLimits } from '../limits.ts'
import { headerValues, type Call } from '../edge/reply.ts'
import { ControlRefusal } from './guard.ts'

type Schemas = components['schemas']
type ControlSchema = keyof Schemas

/** `fast` stops at the first error; `thorough` finds all, so that the best one can be reported. */
type Manner = 'fast' | 'thorough'

const validators = new Map<string, ValidateFunction>()
/** Made when a manner is first used: most never report an error. */
let schemasFor: ((manner: Manner) => Ajv2020) | undefined

/**
 * Loads the schemas; every control route waits for it, unless they are there. Not at the start, because a validator costs
 * more time than the whole rest of starting.
 */
export const loadSchemas = (): Promise<void> | undefined => (schemasFor ? undefined : load())

async function load(): Promise<void> {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ])
  const made = new Map<Manner, Ajv2020>()
  schemasFor = (manner) => {
    const known = made.get(manner)
    if (known) return known
    const allErrors = manner === 'thorough'
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors, validateSchema: false })
    formats.default(ajv)
    made.set(manner, ajv.addSchema(replyRule).addSchema(control))
    return ajv
  }
}

function validator(manner: Manner, name: ControlSchema): ValidateFunction {
  const known = validators.get(`${manner} ${name}`)
  if (known) return known
  const made = schemasFor?.(manner).getSchema(`${control.$id}#/$defs/${name}`)
  if (!made) throw new Error(`spec/schemas/control.json has no ${name}, or was not loaded.`)
  validators.set(`${manner} ${name}`, made)
  return made
}

/** What is wrong with a value; null where nothing is. */
function errorsOf(name: ControlSchema, value: unknown, length: number): readonly ErrorObject[] | null {
  const validate = validator('fast', name)
  if (validate(value)) return null
  if (length > fixedLimits.thoroughCharacters) return validate.errors ?? []
  const validateAll = validator('thorough', name)
  validateAll(value)
  return validateAll.errors ?? []
}

/** The JSON body as the named schema has it. An empty body counts as `{}`. */
export function validBody<N extends ControlSchema>(call: Call, name: N): Schemas[N] {
  const text = Buffer.from(call.body).toString('utf8')
  if (!isShallow(call.body))
    throw new ControlRefusal(400, 'The body is nested too deep: send at most 100 levels.')
  const value = text.trim() === '' ? {} : json(text)
  const errors = errorsOf(name, value, text.length)
  if (errors === null) return value as Schemas[N]
  const reported = mostSpecificError(errors)
  const place = reported?.instancePath ? ` at ${reported.instancePath}` : ''
  const extra = reported?.params['additionalProperty']
  const what = typeof extra === 'string' ? `unknown member \`${extra}\`` : wordsOf(errors, reported)
  throw new ControlRefusal(400, `The body is no ${name}${place}: ${what}. See spec/control.yaml.`)
}

/**
 * Of the errors of several alternatives, the first of the one that was meant: an alternative with another
 * constant, such as the mode of another clock, was not.
 */
function mostSpecificError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const alternative = ({ schemaPath }: ErrorObject): string => /\$defs\/\w+/.exec(schemaPath)?.[0] ?? ''
  const others = new Set(errors.filter(({ keyword }) => keyword === 'const').map(alternative))
  const meant = errors.find((error) => error.keyword !== 'oneOf' && !others.has(alternative(error)))
  return meant ?? errors.find(({ keyword }) => keyword === 'const') ?? errors[0]
}

function wordsOf(errors: readonly ErrorObject[], reported: ErrorObject | undefined): string {
  if (reported?.keyword !== 'const') return reported?.message ?? 'does not fit'
  const constants = errors.filter(({ keyword }) => keyword === 'const')
  return `must be one of ${constants.map(({ params }) => String(params['allowedValue'])).join(', ')}`
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlRefusal(400, 'The body is not JSON: send a JSON object, or nothing.')
  }
}

/** Query parameters by name; the first of each. */
export function queryOf(call: Call): URLSearchParams {
  // Not by way of a URL: the target of a request may be one that no URL can be.
  const [, query = ''] = /\?([^#]*)/.exec(call.path) ?? []
  return new URLSearchParams(query)
}

/** A whole number of the query, or undefined when it is not there. */
export function wholeNumberOf(query: URLSearchParams, name: string, least = 0): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
  throw new ControlRefusal(
    400,
    `\`${name}\` is ${JSON.stringify(text)}: give a whole number of at least ${least}.`,
  )
}

/** A whole number in a header; undefined where there is none, or it is empty. */
export function headerNumberOf(call: Call, name: string): number | undefined {
  const [text = ''] = headerValues(call, name)
  return text === '' ? undefined : wholeNumberOf(new URLSearchParams([[name, text]]), name)
}

/** How long somebody waits, in ms of real time. */
export const timeoutOf = (query: URLSearchParams): number =>
  Math.min(wholeNumberOf(query, 'timeoutMs') ?? 5_000, 60_000)
