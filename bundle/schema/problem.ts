/** Whether what stands in the files of a run fits the published schemas, and where it does not. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import changes from './changes.schema.json' with { type: 'json' }
import clauseSet from './clause-set.schema.json' with { type: 'json' }
import journalLine from './journal-line.schema.json' with { type: 'json' }
import judging from './judging.schema.json' with { type: 'json' }
import manifest from './manifest.schema.json' with { type: 'json' }
import plan from './plan.schema.json' with { type: 'json' }
import run from './run.schema.json' with { type: 'json' }

/** Gives the place as a JSON pointer and what is wrong there, in one line; null where all fits. */
export type Problem = (value: unknown) => string | null

/** The one version of files that this version of Touchstone writes and reads. */
const schemaVersion = 1

/** The schemas refer to one another, so they are compiled together; that takes a moment, and only who asks waits. */
let library: Ajv2020 | null = null
function schemas(): Ajv2020 {
  if (library) return library
  library = new Ajv2020({
    strict: false,
    // Infinity is no number: it would be written as null.
    strictNumbers: true,
    verbose: true,
    schemas: [clauseSet, run, plan, journalLine, changes, judging, manifest],
  })
  formats.default(library)
  return library
}

function problemOf({ $id }: { $id: string }, part = ''): Problem {
  return (value) => {
    const newer = newerThanThis(value)
    if (newer !== null) return newer
    const fits = schemas().getSchema($id + part)
    return fits === undefined || fits(value) === true ? null : messageFor(fits)
  }
}

export const runProblem = problemOf(run)
export const planProblem = problemOf(plan)
export const journalLineProblem = problemOf(journalLine)
export const exchangeProblem = problemOf(journalLine, '#/$defs/exchange')
export const changesProblem = problemOf(changes)
export const judgingProblem = problemOf(judging)
export const manifestProblem = problemOf(manifest)

const installNewer = `, and this version of Touchstone reads up to ${schemaVersion}: install a newer one`
/** Whether such a problem is that a newer version wrote it. */
export const isNewer = (problem: string): boolean => problem.endsWith(installNewer)

/** Of a document, or of the first line of a journal. */
function newerThanThis(value: unknown): string | null {
  const { schemaVersion: own, opening } = Object(value) as { schemaVersion?: unknown; opening?: unknown }
  const version = own ?? (Object(opening) as { schemaVersion?: unknown }).schemaVersion
  if (typeof version !== 'number' || version <= schemaVersion) return null
  return `/schemaVersion is ${version}${installNewer}`
}

/** Where one of several forms fits, the deepest mismatch is of the form that was meant. */
function messageFor({ errors }: ValidateFunction): string {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length
  const [first] = (errors ?? []).toSorted((one, other) => depth(other) - depth(one))
  if (!first) return ' does not fit'
  return `${first.instancePath}${wordsFor[first.keyword]?.(first) ?? ` ${first.message ?? 'does not fit'}`}`
}

const wordsFor: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: ({ params }) => `/${String(params['missingProperty'])} is missing`,
  type: ({ params, data }) => ` is ${shown(data)}, not ${[params['type']].flat().join(' or ')}`,
  enum: ({ params, data }) => ` is ${shown(data)}, not one of ${[params['allowedValues']].flat().join(', ')}`,
  const: ({ params, data }) => ` is ${shown(data)}, not ${shown(params['allowedValue'])}`,
  pattern: ({ params, data }) => ` is ${shown(data)}, which does not match ${String(params['pattern'])}`,
  minItems: ({ instancePath }) =>
    instancePath.endsWith('/evidence')
      ? ' is empty, and a verdict on the target rests on at least one exchange'
      : ' has too few entries',
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
