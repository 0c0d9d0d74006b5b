/** The file of `--scenario`: what agents answer, as data. Loaded only when the option is given. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { parseDocument } from 'yaml'
import type { Scenario } from '../../simulator/index.ts'
import schema from '../../spec/schemas/scenario.json' with { type: 'json' }
import { hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true }).compile<Scenario>(schema)

/** One scenario, or a list of them. Throws a UsageError that names the place. */
export function scenariosIn(path: string): readonly Scenario[] {
  const read = parsed(path)
  const list: readonly unknown[] = Array.isArray(read) ? read : [read ?? []].flat()
  if (list.length === 0) throw new UsageError(`--scenario ${path}: there is no scenario in it.`)
  return list.map((item, index) => {
    if (validate(item)) return item
    throw new UsageError(`--scenario ${path}: scenario ${index + 1}${words(validate.errors?.[0])}.`)
  })
}

/** JSON is YAML too, so one parser reads both. */
function parsed(path: string): unknown {
  const document = parseDocument(contents(path), { prettyErrors: true })
  const [error] = document.errors
  if (error) throw notYaml(path, error)
  try {
    return document.toJS()
  } catch (error) {
    // Aliases are only looked up here.
    throw notYaml(path, error)
  }
}

function notYaml(path: string, error: unknown): UsageError {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return new UsageError(`--scenario ${path}: ${line.replace(/:$/, '')}.`)
}

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--scenario ${path}: it cannot be read (${codeOf(error)}).`)
  }
}

function words(error: ErrorObject | undefined): string {
  if (!error) return ' does not fit'
  const { instancePath, params, message, parentSchema } = error
  const place = instancePath === '' ? '' : ` at ${instancePath}`
  const unknown: unknown = params['additionalProperty']
  if (typeof unknown !== 'string') return `${place} ${message ?? 'does not fit'}`
  const properties: unknown = parentSchema?.['properties']
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return `${place} has the unknown member ${unknown}${hint(unknown, names)}`
}
