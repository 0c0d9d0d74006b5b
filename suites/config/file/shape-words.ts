/** What the schema finds wrong, in words that say what to change. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { nearest, suggestion } from './nearest.ts'
import type { YamlPath } from './source-map.ts'

export function keyPathOf({ instancePath }: ErrorObject): YamlPath {
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
    return `unknown key "${key}"${inside}; ${suggestion(key, keysOf(error))}`
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
  pattern: ({ name, given }) => `${name} is ${given}; give ${formOf(name)}`,
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

/** What a key, or a value of a choice, was probably meant to be. */
export function nearMiss(error: ErrorObject): string | undefined {
  const { params, data } = error
  if (Array.isArray(params['allowedValues']))
    return nearest(String(data), params['allowedValues'].map(String))
  const key: unknown = params['additionalProperty']
  return typeof key === 'string' ? nearest(key, keysOf(error)) : undefined
}

/** One line without the place. A secret is not repeated: it may be the very thing. */
export function words(error: ErrorObject): string {
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

function formOf(name: string): string {
  return forms.find(([end]) => end.test(name))?.[1] ?? 'a JSON pointer such as /error/code'
}
