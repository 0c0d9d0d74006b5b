/** Reads a counterexample; rejects one that this version would replay wrongly. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { clauseSetProblem } from '../../reports/bundle/clause-set.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { parseJson } from '../wire/exchange.ts'
import { flatSteps, referencesIn, schemaVersion, type Counterexample } from './file.ts'
import { isObject } from '../../spec/json.ts'
import schema from './schema.json' with { type: 'json' }

/** Compiled for the first file: most who load this read none. */
let compiled: ValidateFunction<Counterexample> | undefined
const fitting = (): ValidateFunction<Counterexample> =>
  (compiled ??= new Ajv2020({ strict: false, validateSchema: false }).compile<Counterexample>(schema))

/** `path` names the file in messages. Throws a ConfigurationError. */
export function readCounterexample(text: string, path: string): Counterexample {
  const parsed = parseJson(text)
  if (!parsed.ok)
    throw wrong(path, `it is not JSON (${parsed.why}); give the replay.json of a counterexample`)
  const { value } = parsed
  const version = isObject(value) ? value['schemaVersion'] : undefined
  if (typeof version === 'number' && version > schemaVersion)
    throw wrong(
      path,
      `it is of schema version ${version}, and this version of Touchstone reads up to ${schemaVersion}; install a newer one`,
    )
  const fits = fitting()
  if (!fits(value)) {
    const [error] = fits.errors ?? []
    throw wrong(
      path,
      `it is no counterexample: ${error?.instancePath || 'the file'} ${error?.message ?? 'does not fit'}`,
    )
  }
  const file: Counterexample = value
  knownClauses(file, path)
  knownSteps(file, path)
  return file
}

function wrong(path: string, why: string): ConfigurationError {
  return new ConfigurationError(`${path}: ${why}`)
}

/** Judges may have changed their minds where the clauses are others. */
function knownClauses({ contract }: Counterexample, path: string): void {
  if (clauseSetProblem(contract) === null) return
  throw wrong(
    path,
    `it was found with another set of clauses (${contract.revision}, ${contract.digest.slice(0, 12)}) than this version knows; replay it with the version that wrote it`,
  )
}

/** What a step refers to stands before it, and every id once. */
function knownSteps(file: Counterexample, path: string): void {
  const seen = new Set<string>()
  for (const step of flatSteps(file)) {
    const { id } = step
    const lost = referencesIn(step).find((reference) => 'from' in reference && !seen.has(reference.from))
    if (lost && 'from' in lost)
      throw wrong(path, `step ${id} refers to ${lost.from}, which does not stand before it`)
    if (seen.has(id)) throw wrong(path, `there are two steps ${id}; give each an id of its own`)
    seen.add(id)
  }
}
