/** Reading a control request: its body against the published schema, and its query. */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import control from '../../spec/schemas/control.json' with { type: 'json' }
import replyRule from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import type { components } from '../../spec/types/control.ts'
import { suggestion } from '../../spec/nearest.ts'
import { isShallow } from '../json.ts'
import { fixedLimits } from '../limits.ts'
import { remembered } from '../tenant/book.ts'
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
  const ajvFor = (manner: Manner): Ajv2020 => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      allErrors: manner === 'thorough',
      verbose: true,
      discriminator: true,
      validateSchema: false,
    })
    formats.default(ajv)
    return ajv.addSchema(replyRule).addSchema(tagged())
  }
  schemasFor = (manner) => remembered(made, manner, () => ajvFor(manner))
}

function validator(manner: Manner, name: ControlSchema): ValidateFunction {
  return remembered(validators, `${manner} ${name}`, () => {
    const made = schemasFor?.(manner).getSchema(`${control.$id}#/$defs/${name}`)
    if (!made) throw new Error(`spec/schemas/control.json has no ${name}, or was not loaded.`)
    return made
  })
}

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
  const reported = errors.find(({ keyword }) => keyword !== 'oneOf') ?? errors[0]
  const place = reported?.instancePath ? ` at ${reported.instancePath}` : ''
  const extra = reported?.params['additionalProperty']
  const known = Object.keys((reported?.parentSchema as Alternative | undefined)?.properties ?? {})
  const what =
    typeof extra === 'string'
      ? `unknown member \`${extra}\`; ${suggestion(extra, known)}`
      : reported && wordsOf(reported)
  throw new ControlRefusal(400, `The body is no ${name}${place}: ${what}. See spec/control.yaml.`)
}

function wordsOf({ keyword, params, message = 'does not fit', parentSchema }: ErrorObject): string {
  if (keyword === 'enum') return `give ${eitherOf(params['allowedValues'] as readonly unknown[])}`
  if (keyword === 'const') return `give ${eitherOf([params['allowedValue']])}`
  if (keyword !== 'discriminator') return message
  const tag = String(params['tag'])
  return `\`${tag}\` must be one of ${tagsOf(parentSchema as Union, tag).join(', ')}`
}

function eitherOf(values: readonly unknown[]): string {
  const words = values.map((one) => (/^[\w./-]+$/.test(String(one)) ? String(one) : JSON.stringify(one)))
  return [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' or ')
}

interface Union {
  readonly oneOf?: readonly { readonly $ref?: string }[]
}
interface Alternative {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown } | undefined>>
}

const alternativesOf = ({ oneOf = [] }: Union): readonly Alternative[] =>
  oneOf.flatMap(({ $ref = '' }) => definitions[$ref.slice($ref.lastIndexOf('/') + 1)] ?? [])

const tagsOf = (union: Union, tag: string): readonly unknown[] =>
  alternativesOf(union).map(({ properties }) => properties?.[tag]?.const)

const definitions = control.$defs as Readonly<Record<string, Union & Alternative>>

/** With the member by whose value an alternative is chosen, so that only errors of that one are reported. */
function tagged(): object {
  const withTag = Object.entries(definitions).map(([name, one]) => {
    const [first, ...more] = alternativesOf(one)
    const tag = Object.keys(first?.properties ?? {}).find((member) =>
      [first, ...more].every((other) => other?.properties?.[member]?.const !== undefined),
    )
    return [name, tag === undefined ? one : { ...one, type: 'object', discriminator: { propertyName: tag } }]
  })
  return { ...control, $defs: Object.fromEntries(withTag) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlRefusal(400, 'The body is not JSON: send a JSON object, or nothing.')
  }
}

/** Query parameters by name. Throws for one that the route does not have. */
export function queryOf(call: Call, names: readonly string[]): URLSearchParams {
  // Not by way of a URL: the target of a request may be one that no URL can be.
  const query = new URLSearchParams(/\?([^#]*)/.exec(call.path)?.[1] ?? '')
  const unknown = [...query.keys()].find((name) => !names.includes(name))
  if (unknown === undefined) return query
  throw new ControlRefusal(400, `Unknown query parameter \`${unknown}\`; ${suggestion(unknown, names)}`)
}

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

export const timeoutOf = (query: URLSearchParams): number =>
  Math.min(wholeNumberOf(query, 'timeoutMs') ?? 5_000, 60_000)
