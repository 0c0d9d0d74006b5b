/** Reads signed statements of runs, for a reader that has nothing but them, the keys and no trust in their source. */
import type { KeyObject } from 'node:crypto'
import { clauseSetName } from '../../spec/clause-set.ts'
import { isPlainlySpelled, ownMember, parseJson, type Json } from '../json.ts'
import type { Conformance } from '../record.ts'
import { asEnvelope, isSignedBy, payloadOf } from './envelope.ts'
import { manifestFile } from '../names.ts'
import { payloadType, predicateType, statementType, type Subjects } from './statement.ts'

/** What a statement says of a run, as far as a release depends on it. */
export interface Statement {
  subjects: Subjects
  run: { id: string; endedAt: string }
  conformance: Conformance
  gate: { passed: boolean; exitCode: number }
  waived: number
  /** Why less was planned than the standard profile has; null if nothing was left out. */
  narrowed: 'selection' | 'shard' | 'smoke profile' | null
  /** Whether the run went to its end, with all of its shards. */
  whole: boolean
  /** Such as `finished`. */
  lifecycle: string
  /** `fromFile`: it is not a published one. */
  contract: { revision: string; digest: string; fromFile: boolean }
  target: { name: string; kind: string; baseUrl: string | null; version: string | null }
}

export type StatementReading = { statement: Statement; key: KeyObject } | { why: string }

/** Of one envelope. Real ones have one signature; each costs a verification with every key. */
const mostSignatures = 16

/** `key`: the first of `keys` that signed it. Never throws. */
export function readStatement(bytes: Buffer, keys: readonly KeyObject[]): StatementReading {
  const outer = strictJson(bytes)
  const envelope = outer === undefined ? null : asEnvelope(outer)
  if (envelope === null) return { why: 'not a signed statement' }
  if (envelope.payloadType !== payloadType) return { why: 'of another payload type' }
  if (envelope.signatures.length > mostSignatures) return { why: `more than ${mostSignatures} signatures` }
  const key = keys.find((one) => isSignedBy(envelope, one))
  if (key === undefined) return { why: 'not signed by a given key' }
  const payload = strictJson(Buffer.from(payloadOf(envelope)))
  if (at(payload, '_type') !== statementType || at(payload, 'predicateType') !== predicateType)
    return { why: 'of another predicate type' }
  const statement = statementIn(payload)
  return statement === null ? { why: 'not a statement that this version can read' } : { statement, key }
}

/** Undefined for what two readers of JSON could understand differently, such as a duplicate key. */
function strictJson(bytes: Buffer): Json | undefined {
  const text = bytes.toString('utf8')
  const reading = parseJson(text)
  return reading.ok && isPlainlySpelled(text, reading.value) ? reading.value : undefined
}

/** Null for what this version cannot read. */
export function statementIn(payload: unknown): Statement | null {
  const subjects = subjectsIn(at(payload, 'subject'))
  const predicate = at(payload, 'predicate')
  const get = (...path: readonly string[]): unknown => at(predicate, ...path)
  const [id, endedAt, lifecycle] = [get('run', 'id'), get('run', 'endedAt'), get('run', 'lifecycle')]
  const [name, kind] = [get('target', 'name'), get('target', 'kind')]
  const [revision, digest] = [get('contract', 'revision'), get('contract', 'digest')]
  const [passed, exitCode, conformance] = [get('gate', 'passed'), get('gate', 'exitCode'), get('conformance')]
  const [version = null, waived] = [get('target', 'version'), get('counts', 'waived')]
  const [narrowed, baseUrl] = [narrowedIn(predicate), get('target', 'baseUrl')]
  const missing = get('scope', 'notExercised', 'shard-missing')
  if (subjects === null || narrowed === undefined) return null
  if (!isText(id) || !isTime(endedAt) || !isText(name) || !isText(kind) || !isText(lifecycle)) return null
  if (!isRevision(revision) || !isDigest(digest) || !isConformance(conformance)) return null
  if (typeof passed !== 'boolean' || !isCount(exitCode) || !isCount(waived)) return null
  if (version !== null && !isText(version)) return null
  return {
    subjects,
    run: { id, endedAt },
    conformance,
    gate: { passed, exitCode },
    waived,
    narrowed,
    whole: lifecycle === 'finished' && missing === undefined,
    lifecycle,
    contract: { revision, digest, fromFile: get('contract', 'definition') !== undefined },
    target: { name, kind, baseUrl: isText(baseUrl) ? baseUrl : null, version },
  }
}

function subjectsIn(subject: unknown): Subjects | null {
  if (!Array.isArray(subject) || subject.length !== 2) return null
  const [record, manifest] = ['run.json', manifestFile].map((file, index) => {
    const one: unknown = subject[index]
    return at(one, 'name') === file ? at(one, 'digest', 'sha256') : undefined
  })
  return isDigest(record) && isDigest(manifest) ? { record, manifest } : null
}

function narrowedIn(predicate: unknown): Statement['narrowed'] | undefined {
  const [leftOut, profile] = [at(predicate, 'scope', 'leftOut'), at(predicate, 'scope', 'profile')]
  if (typeof leftOut !== 'object' || leftOut === null || !isText(profile)) return undefined
  if (at(predicate, 'plan', 'shard') !== undefined || 'shard' in leftOut) return 'shard'
  if ('selection' in leftOut) return 'selection'
  return profile === 'smoke' ? 'smoke profile' : null
}

const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce(ownMember, value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isDigest = (value: unknown): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value)
const isRevision = (value: unknown): value is string => isText(value) && clauseSetName.test(value)
const isConformance = (value: unknown): value is Conformance =>
  value === 'conformant' || value === 'partial' || value === 'nonconformant'
const isTime = (value: unknown): value is string =>
  isText(value) && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
