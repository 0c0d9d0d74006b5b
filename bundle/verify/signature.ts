/** Whether somebody stands for this bundle, and for this one. */
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parseJson, type JsonReading } from '../json.ts'
import { sha256 } from '../seal/digest.ts'
import { asEnvelope, isSignedBy, payloadOf, type SignedEnvelope, keyIdOf } from '../seal/envelope.ts'
import { manifestFile, statementFile } from '../names.ts'
import { payloadType, statementOf } from '../seal/statement.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { notVerified, holds, incomplete, notChecked, type InspectionLine } from './schema.ts'

export function inspectSignature(bundle: OpenedBundle, key: KeyObject | null): InspectionLine {
  if (!bundle.has(statementFile)) return unsigned(bundle, key)
  const reading = bundle.json(statementFile)
  const envelope = reading.ok ? asEnvelope(reading.value) : null
  if (envelope === null) return notVerified(`${statementFile} is no signed statement`)
  const problems = [...aboutOther(envelope, bundle), ...keyProblems(envelope, bundle, key)]
  const named = nameOf(envelope)
  if (problems.length > 0) return notVerified('the signature is not valid for this bundle', problems)
  if (!bundle.has(manifestFile))
    return incomplete(`signed by key id ${named}, over a ${manifestFile} that is not there`)
  return key === null
    ? notChecked(`signed by key id ${named}, not checked: give --key`)
    : holds(`signed by key id ${keyIdOf(key)}, verified with the given key`)
}

function unsigned({ record, has }: OpenedBundle, key: KeyObject | null): InspectionLine {
  const keyid = record?.signing?.keyid
  if (keyid !== undefined) {
    const words = `run.json names key id ${keyid}, and there is no ${statementFile}`
    // The manifest is written after it, so that a run that was killed while it wrote has neither.
    return has(manifestFile) || key !== null ? notVerified(`${words}: it was taken away`) : incomplete(words)
  }
  return key === null ? notChecked('unsigned') : notVerified(`unsigned: there is no ${statementFile}`)
}

/** The id in the envelope is only a hint of its author. */
function nameOf({ signatures }: SignedEnvelope): string {
  return signatures.map(({ keyid = '(without an id)' }) => keyid).join(', ')
}

function keyProblems(
  envelope: SignedEnvelope,
  { record }: OpenedBundle,
  key: KeyObject | null,
): readonly string[] {
  const signing = record?.signing?.keyid
  const expected = key === null ? nameOf(envelope) : keyIdOf(key)
  const named =
    record === null || signing === expected
      ? []
      : [`run.json names ${signing === undefined ? 'no key' : `key id ${signing}`}, and not ${expected}`]
  if (key === null || isSignedBy(envelope, key)) return named
  return [`it is not a signature by key id ${expected} over this statement`, ...named]
}

/** A signature may be good and about something else. */
function aboutOther(envelope: SignedEnvelope, { bytes, has, record }: OpenedBundle): readonly string[] {
  if (envelope.payloadType !== payloadType) return [`it is about ${envelope.payloadType}, not ${payloadType}`]
  const reading = parseJson(Buffer.from(payloadOf(envelope)).toString('utf8'))
  if (!reading.ok) return [`its statement cannot be read: ${reading.why}`]
  const stated = subjectsIn(reading.value)
  const [run, manifest] = ['run.json', manifestFile].map((file) => sha256(bytes(file) ?? ''))
  const others = Object.entries({ 'run.json': run, [manifestFile]: manifest })
    .filter(([file, digest]) => has(file) && stated.get(file) !== digest)
    .map(([file]) => `its statement is about another ${file}`)
  if (others.length > 0 || record === null || !has(manifestFile)) return others
  const expected = statementOf(record, { record: run ?? '', manifest: manifest ?? '' })
  return isDeepStrictEqual(reading.value, JSON.parse(JSON.stringify(expected)))
    ? []
    : ['its statement says something else of the run than run.json does']
}

/** The digest of the manifest that a signed statement is about; undefined where there is none. */
export function manifestStated(reading: JsonReading): unknown {
  const envelope = reading.ok ? asEnvelope(reading.value) : null
  if (envelope === null) return undefined
  const statement = parseJson(Buffer.from(payloadOf(envelope)).toString('utf8'))
  return statement.ok ? subjectsIn(statement.value).get(manifestFile) : undefined
}

/** SHA-256, hex, by file, of an in-toto statement; empty for anything else. */
export function subjectsIn(statement: unknown): ReadonlyMap<unknown, unknown> {
  const { subject } = (statement ?? {}) as { subject?: unknown }
  if (!Array.isArray(subject)) return new Map()
  return new Map(
    subject.map((one: { name?: unknown; digest?: { sha256?: unknown } } | null) => [
      one?.name,
      one?.digest?.sha256,
    ]),
  )
}
