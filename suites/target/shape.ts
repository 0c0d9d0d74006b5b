/** Holds a target file against its schema, in words that say what to change. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { suggestion } from './nearest.ts'
import schema from './schema.json' with { type: 'json' }
import type { Path, Sourced } from './source-map.ts'
import type { TargetFile } from './written.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true })
const fits = ajv.compile<TargetFile>(schema)

/** The file, or one line for each thing that is wrong with it. */
export function shapeOf(sourced: Sourced): { file: TargetFile } | { problems: readonly string[] } {
  const { value } = sourced
  if (fits(value)) return { file: value }
  const problems = (fits.errors ?? []).map((error) => `${sourced.at(placeOf(error))}: ${words(error)}`)
  return { problems: [...new Set(problems)] }
}

function pathOf({ instancePath }: ErrorObject): Path {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function placeOf(error: ErrorObject): Path {
  const extra: unknown = error.params['additionalProperty']
  return typeof extra === 'string' ? [...pathOf(error), extra] : pathOf(error)
}

function words(error: ErrorObject): string {
  const { keyword, params, data, message = 'is wrong' } = error
  const name = pathOf(error).join('.') || 'the file'
  const given = JSON.stringify(data)
  const known: Record<string, () => string> = {
    additionalProperties: () => {
      const key = String(params['additionalProperty'])
      const inside = name === 'the file' ? '' : ` in ${name}`
      return `unknown key "${key}"${inside}; ${suggestion(key, keysOf(error))}`
    },
    required: () => `${name} lacks "${params['missingProperty']}"`,
    enum: () => `${name} is ${given}; ${suggestion(String(data), params['allowedValues'] as string[])}`,
    const: () => `${name} is ${given}; it has to be ${JSON.stringify(params['allowedValue'])}`,
    type: () => `${name} is ${given}; it has to be ${[params['type']].flat().join(' or ')}`,
    pattern: () =>
      error.schemaPath.includes('secret') ? secret(name) : `${name} is ${given}; ${shape(name)}`,
  }
  return known[keyword]?.() ?? `${name} is ${given}; it ${message}`
}

function keysOf({ parentSchema }: ErrorObject): readonly string[] {
  const properties: unknown = parentSchema?.['properties']
  return typeof properties === 'object' && properties ? Object.keys(properties) : []
}

/** The value is not repeated: it may be the secret. */
function secret(name: string): string {
  return `${name} is a secret; give it as env:NAME or file:path, never as itself`
}

function shape(name: string): string {
  if (name.endsWith('expires')) return 'give a date such as 2030-01-31'
  if (name.endsWith('fingerprint')) return 'give the twelve hex digits of the report'
  if (name.endsWith('agents')) return 'give "*" or a list of names under agents'
  return 'give a JSON pointer such as /error/code'
}
