/** Holds an input against the schema of its operation. */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../json.ts'

const validators = new WeakMap<JsonObject, ValidateFunction>()
let compiler: Ajv2020 | undefined

/** Not at the start, because a validator costs more time than the whole rest of starting. */
export async function loadCompiler(): Promise<void> {
  if (compiler) return
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ])
  const ajv = new Ajv2020({ strict: true, validateSchema: false })
  formats.default(ajv)
  compiler ??= ajv
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  if (!compiler) throw new Error('Load the compiler before an input is held against a schema.')
  const made = compiler.compile(schema)
  validators.set(schema, made)
  return made
}

/** What is wrong, where, and what would be right; null where the input fits. */
export function schemaProblem(schema: JsonObject, input: Json): string | null {
  const validate = validatorOf(schema)
  return validate(input) ? null : wordsOf(validate.errors?.[0])
}

function wordsOf(error: ErrorObject | undefined): string {
  if (!error) return 'The input does not fit its schema.'
  const { instancePath, message = 'does not fit', params } = error
  const extra: unknown = params['additionalProperty']
  const more = typeof extra === 'string' ? `: ${JSON.stringify(extra.slice(0, 40))}` : ''
  return `input${instancePath} ${message}${more}. See its schema in GET /api/v1/operations.`
}
