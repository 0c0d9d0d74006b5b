/** The file of `--replies`: reply rules as YAML or JSON. Loaded only if the option is given. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { ReplyRule } from '../../simulator/index.ts'
import schema from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import { hint } from '../nearest.ts'
import type { CommandAnswer } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'
import { fileText } from '../values.ts'
import { counted } from '../../reports/document/blocks.ts'
import { readYaml } from '../../suites/config/file/source-map.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true, allErrors: true })
const validate = ajv.compile<ReplyRule>(schema)

/** The rules of a file for `--replies`. Throws a UsageError with the first error. */
export function replyRulesIn(path: string): readonly ReplyRule[] {
  const { rules, problems } = readReplyFile(path, `--replies ${path}`)
  const [first] = problems
  if (first !== undefined) throw new UsageError(`--replies ${first}.`)
  return rules
}

/** Every error with its line. Throws a UsageError for a file that cannot be read or parsed. */
export function checkReplies(path: string): CommandAnswer {
  const { rules, problems } = readReplyFile(path)
  if (problems.length === 0) return { note: `${path}: ${counted(rules.length, 'reply rule')}, no errors\n` }
  return { text: problems.map((one) => `${one}\n`).join(''), exitCode: exitCodes.usage }
}

/** Validates one rule or a list of rules. Throws a UsageError, and a ConfigurationError for what is not YAML. */
function readReplyFile(path: string, label = path) {
  // JSON is YAML too, so one parser reads both.
  const { value, at } = readYaml(fileText(path, label), path)
  const isList = Array.isArray(value)
  const items: readonly unknown[] = isList ? value : [value ?? []].flat()
  if (items.length === 0) throw new UsageError(`${label}: the file has no reply rule.`)
  const rules: ReplyRule[] = []
  const problems = items.flatMap((item, index): string[] => {
    if (validate(item)) return (rules.push(item), [])
    const which = isList ? `reply rule ${index + 1}` : 'the reply rule'
    // The first error of each place: with `oneOf`, every alternative reports its own.
    const errors = validate.errors ?? []
    const places = errors.map((error) => pathOf(error).join('/'))
    const kept = errors.filter(
      ({ keyword }, at) => keyword !== 'oneOf' && places.indexOf(places[at] ?? '') === at,
    )
    return (kept.length > 0 ? kept : errors.slice(0, 1)).map(
      (error) => `${at([...(isList ? [index] : []), ...pathOf(error)])}: ${which}${messageOf(error)}`,
    )
  })
  return { rules, problems }
}

/** The path from a rule to the error, including an unknown member. */
function pathOf({ instancePath, params }: ErrorObject): readonly (string | number)[] {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const unknown: unknown = params['additionalProperty']
  return typeof unknown === 'string' ? [...steps, unknown] : steps
}

function messageOf({ instancePath, params, message, parentSchema }: ErrorObject): string {
  const place = instancePath === '' ? '' : ` at ${instancePath}`
  const unknown: unknown = params['additionalProperty']
  if (typeof unknown !== 'string') return `${place} ${message ?? 'is invalid'}`
  const properties: unknown = parentSchema?.['properties']
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return `${place} has the unknown member ${unknown}${hint(unknown, names)}`
}
