/** The file of `--scenario`: what agents answer, as data. Loaded only when the option is given. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isNode, LineCounter, parseDocument, type Document } from 'yaml'
import { scenarioNames, type Scenario } from '../../simulator/index.ts'
import schema from '../../spec/schemas/scenario.json' with { type: 'json' }
import { hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true, allErrors: true })
const validate = ajv.compile<Scenario>(schema)

/** Something in a file that does not fit, and the line it stands in. */
export interface Problem {
  line: number
  words: string
}

/** One scenario, or a list of them. Throws a UsageError that names the place. */
export function scenariosIn(path: string): readonly Scenario[] {
  const label = `--scenario ${path}`
  const { list, problems } = read(path, label)
  const [first] = problems
  if (first) throw new UsageError(`${label}: ${first.words}, in line ${first.line}.`)
  return list
}

/** The scenarios, and everything that does not fit. Throws a UsageError, under `label`, for what is no YAML. */
export function read(
  path: string,
  label = path,
): { list: readonly Scenario[]; problems: readonly Problem[] } {
  const lines = new LineCounter()
  const document = parsed(path, label, lines)
  const content = valueOf(label, document)
  const many = Array.isArray(content)
  const items: readonly unknown[] = many ? content : [content ?? []].flat()
  if (items.length === 0) throw new UsageError(`${label}: there is no scenario in it.`)
  const list: Scenario[] = []
  const problems = items.flatMap((item, index): Problem[] => {
    if (validate(item)) return (list.push(item), [])
    return telling(validate.errors ?? []).map((error) => ({
      line: lineOf(document, lines, [...(many ? [index] : []), ...pointed(error)]),
      words: `scenario ${index + 1}${words(error)}`,
    }))
  })
  return { list, problems }
}

/** Of one place only the first error: where there are alternatives, each of them has one. */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = errors.map((error) => pointed(error).join('/'))
  const told = errors.filter(
    ({ keyword }, at) => keyword !== 'oneOf' && places.indexOf(places[at] ?? '') === at,
  )
  return told.length > 0 ? told : errors.slice(0, 1)
}

/** Steps from a scenario to the place, the unknown member included. */
function pointed({ instancePath, params }: ErrorObject): readonly (string | number)[] {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const unknown: unknown = params['additionalProperty']
  return typeof unknown === 'string' ? [...steps, unknown] : steps
}

/** That of the place, or of the nearest around it that is there. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

/** JSON is YAML too, so one parser reads both. */
function parsed(path: string, label: string, lineCounter: LineCounter): Document {
  const document = parseDocument(contents(path, label), { prettyErrors: true, lineCounter })
  const [error] = document.errors
  if (error) throw notYaml(label, error)
  return document
}

function valueOf(label: string, document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    // Aliases are only looked up here.
    throw notYaml(label, error)
  }
}

function notYaml(label: string, error: unknown): UsageError {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return new UsageError(`${label}: ${line.replace(/:$/, '')}.`)
}

function contents(path: string, label: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = codeOf(error)
    const nothing = code === 'ENOENT' && !/[./\\]/.test(path)
    throw new UsageError(
      nothing
        ? `${label}: there is no scenario and no file of that name${hint(path, scenarioNames)}; \`touchstone scenario list\` has those with a name.`
        : `${label}: it cannot be read (${code}).`,
    )
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
