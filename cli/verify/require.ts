/** `verify --require`: reads the signed statements below folders, decides on a version, and prints one line of reason. */
import { lstatSync, existsSync, readdirSync, type Dirent } from 'node:fs'
import { readPlain } from '../../bundle/folder/plain-file.ts'
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { evidenceFolder } from '../../bundle/journal/evidence.ts'
import { counterexamplesFolder, manifestFile, statementFile } from '../../bundle/names.ts'
import { digestOfFile } from '../../bundle/seal/digest.ts'
import { keyIdOf } from '../../bundle/seal/envelope.ts'
import { readStatement, type Statement } from '../../bundle/seal/read-statement.ts'
import type { Subjects } from '../../bundle/seal/statement.ts'
import { visibleLine } from '../../reports/visible.ts'
import { clauseSetName, compareClauseSets, type NamedClauseSet } from '../../spec/clause-set.ts'
import { newestRevision, clauseSets } from '../../spec/clause-sets/index.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import { exitCodes } from '../exit-codes.ts'
import { printedJson, type CommandAnswer } from '../command.ts'
import type { VerifyOptions } from '../commands/options.ts'
import { alternatives } from '../nearest.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { systemReason } from '../values.ts'
import { counted } from '../../reports/document/blocks.ts'

const serviceKinds = ['staging', 'production'] as const

interface Requirements {
  target: string
  version: string
  /** Of service; both if undefined. */
  kind?: (typeof serviceKinds)[number]
  /** The least published set; one from a file counts itself, too. */
  clauseSet: Pick<NamedClauseSet, 'revision'> & Partial<NamedClauseSet>
  /** Milliseconds. */
  maxAge: number
  accept: 'conformant' | 'gate'
  partial: boolean
}

interface StatedRun {
  file: string
  /** SHA-256, hex, of the key that signed it. */
  keyid: string
  statement: Statement
  /** Whether the files beside it, if any, are those of its run. */
  fits: () => boolean
}

type NotCounted = { file: string; why: string }
type Outcome = { exitCode: number; reason: string }

interface ReleaseDecision extends Outcome {
  by: StatedRun | null
  notCounted: readonly NotCounted[]
}

/** Of clocks. Milliseconds. */
const tolerance = 300_000

const { nonconformant, stalePolicy, lessExercised, ok } = exitCodes
const worstFirst: readonly number[] = [nonconformant, stalePolicy, lessExercised, ok]

function decideRelease(candidates: readonly StatedRun[], required: Requirements): ReleaseDecision {
  const all = candidates.map((one) => ({ one, why: notCountedBecause(one, required) }))
  const notCounted = all.flatMap(({ one: { file }, why }) => (why === null ? [] : [{ file, why }]))
  const counting = all.flatMap(({ one, why }) => (why === null ? [one] : []))
  const newest = Math.max(...counting.map(endOf))
  const [decisive] = counting
    .filter((one) => endOf(one) === newest)
    .map((by) => ({ by, ...outcomeOf(by.statement, required) }))
    .toSorted((one, other) => worstFirst.indexOf(one.exitCode) - worstFirst.indexOf(other.exitCode))
  if (decisive !== undefined) return { ...decisive, notCounted }
  return { exitCode: lessExercised, reason: 'no run of this version counts', by: null, notCounted }
}

const endOf = ({ statement }: StatedRun): number => Date.parse(statement.run.endedAt)

/**
 * Null if it counts. A failure counts wherever it was seen; a pass only if everything was to be run, and nothing beside it
 * contradicts it: whoever can write beside a signed failure must not be able to remove it.
 */
function notCountedBecause({ statement, fits }: StatedRun, required: Requirements): string | null {
  const { target, narrowed, contract } = statement
  if (target.name !== required.target) return 'of another target'
  if (target.version !== required.version) return 'of another version'
  if (!serviceKinds.some((kind) => kind === target.kind)) return `of a ${target.kind}, not of a service`
  if (required.kind !== undefined && required.kind !== target.kind) return `of the kind ${target.kind}`
  const { revision, digest, definition } = required.clauseSet
  const altered = `of a clause set ${contract.revision} that was altered`
  const isAsked = definition !== undefined && revision === contract.revision
  // A failure under a set that was not asked for is none either.
  if (contract.fromFile && !isAsked) return `of the clause set ${contract.revision} from a file`
  if (contract.fromFile && digest !== contract.digest) return altered
  const { exitCode } = verdictOf(statement, required)
  if (exitCode === nonconformant) return null
  if (narrowed !== null && !(required.partial && narrowed === 'smoke profile')) return `of a ${narrowed}`
  if (compareClauseSets(contract.revision, revision) < 0)
    return `of the older clause set ${contract.revision}`
  if (!contract.fromFile && !isPublished(contract)) return altered
  return exitCode !== ok || fits() ? null : 'about another run than the one beside it'
}

/** A set that is newer than this version of Touchstone is as its signer says. */
function isPublished({ revision, digest }: Statement['contract']): boolean {
  const known: Readonly<Record<string, { digest: string }>> = clauseSets
  return !Object.hasOwn(known, revision) || known[revision]?.digest === digest
}

function outcomeOf(statement: Statement, required: Requirements): Outcome {
  const verdict = verdictOf(statement, required)
  if (verdict.exitCode !== ok) return verdict
  const age = Date.now() - Date.parse(statement.run.endedAt)
  if (age < -tolerance) return notTested(`${verdict.reason}, but dated in the future`)
  if (age <= required.maxAge) return verdict
  return notTested(`${verdict.reason}, but too old (${ageWords(age)}): run it again, or raise max-age`)
}

const notTested = (reason: string): Outcome => ({ exitCode: lessExercised, reason })

function verdictOf(statement: Statement, { accept, partial }: Requirements): Outcome {
  const { conformance, gate, waived, whole, narrowed, lifecycle } = statement
  const early = lifecycle === 'finished' ? '' : ` (run ${lifecycle})`
  if (accept === 'gate') {
    if (gate.passed) return { exitCode: ok, reason: `gate passed (${conformance})` }
    const known = [nonconformant, stalePolicy].find((code) => code === gate.exitCode)
    return { exitCode: known ?? lessExercised, reason: `gate failed (${conformance})` }
  }
  if (conformance === 'nonconformant') {
    const waivers = waived === 0 ? '' : ` (${waived} waived; see accept=gate)`
    return { exitCode: nonconformant, reason: `nonconformant${waivers}` }
  }
  if (conformance === 'conformant' && whole && narrowed === null)
    return { exitCode: ok, reason: 'conformant' }
  return partial ? { exitCode: ok, reason: `PARTIAL${early}` } : notTested(`partial${early}`)
}

/** In the largest unit of which there are at least two. */
function ageWords(milliseconds: number): string {
  const ages = { day: units['d'], hour: units['h'], minute: units['m'] }
  const [unit, length = 1_000] = Object.entries(ages).find(([, one = 0]) => milliseconds >= 2 * one) ?? [
    'second',
  ]
  return counted(Math.floor(milliseconds / length), unit)
}

/** What is read at most: the folders may be filled by an attacker. Bytes, of a statement and of each file beside it. */
const limits = {
  folders: 100_000,
  statements: 10_000,
  statementBytes: 2 ** 18,
  besideBytes: 2 ** 30,
} as const

export function verifyRelease(
  folders: readonly string[],
  required: readonly string[],
  format: VerifyOptions['format'],
): CommandAnswer {
  const { keys, ...requirements } = requirementsIn(required)
  const found = folders.flatMap(statementsIn).map((file) => candidateIn(file, keys))
  const refused = found.filter((one) => 'why' in one)
  const candidates = found.filter((one): one is StatedRun => !('why' in one))
  const decided = decideRelease(candidates, requirements)
  const decision = { ...decided, notCounted: [...refused, ...decided.notCounted] }
  const { by, exitCode, reason, notCounted } = decision
  const { target, version } = requirements
  const decidedBy = by && { file: by.file, keyid: by.keyid, ...by.statement }
  const head = { schemaVersion: 1, passed: exitCode === ok, exitCode, reason, target, version }
  const json = { ...head, decidedBy, notCounted }
  return { exitCode, text: format === 'json' ? printedJson(json) : lineOf(decision, requirements) }
}

/** Each requirement with the values that it may have, where it is not free. */
const names = {
  target: null,
  version: null,
  signer: null,
  'max-age': null,
  kind: serviceKinds,
  'clause-set': null,
  accept: ['conformant', 'gate'],
  partial: ['yes', 'no'],
} as const
type Name = keyof typeof names

function requirementsIn(required: readonly string[]): Requirements & { keys: readonly KeyObject[] } {
  const given = new Map<Name, string>()
  const signers: string[] = []
  for (const part of required.flatMap((text) => text.split(/,(?=[a-z-]+=)/))) {
    const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(part) ?? []
    if (!Object.hasOwn(names, name))
      throw wrong(`give NAME=VALUE; ${alternatives(name || part, Object.keys(names))}`, part)
    const values: readonly string[] | null = names[name as Name]
    if (values !== null && !values.includes(value)) throw wrong(`give one of ${values.join(', ')}`, part)
    if (name === 'signer') signers.push(value)
    else if (given.has(name as Name)) throw wrong('it is given twice', part)
    else given.set(name as Name, value)
  }
  const [target, version] = [given.get('target'), given.get('version')]
  if (target === undefined || version === undefined || signers.length === 0)
    throw new UsageError('--require: give at least target=…, version=… and signer=FILE, a public key (PEM).')
  return {
    target,
    version,
    keys: signers.map((file) => publicKeyAt(file, '--require signer=')),
    maxAge: duration(given.get('max-age') ?? '14d'),
    clauseSet: leastSet(given.get('clause-set') ?? newestRevision),
    accept: given.get('accept') === 'gate' ? 'gate' : 'conformant',
    partial: given.get('partial') === 'yes',
    kind: given.get('kind') as Requirements['kind'],
  }
}

const wrong = (why: string, part: string): UsageError =>
  new UsageError(`--require ${visibleLine(part)}: ${why}.`)

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. */
function duration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const factor = units[unit]
  if (number !== undefined && factor !== undefined) return Number(number) * factor
  throw wrong('give a number of minutes, hours or days, such as 90m, 36h or 14d', `max-age=${text}`)
}

/** A name may be of a set that is newer than this version. Throws a ConfigurationError. */
function leastSet(named: string): Requirements['clauseSet'] {
  const isNewName =
    clauseSetName.test(named) && !existsSync(named) && compareClauseSets(named, newestRevision) > 0
  return isNewName ? { revision: named } : findClauseSet(named)
}

const ofRun: readonly string[] = [evidenceFolder, counterexamplesFolder]

/** Paths of the statements below a folder, at any depth. Links are not followed. Throws a UsageError. */
function statementsIn(folder: string): readonly string[] {
  const found: string[] = []
  const folders = [folder]
  for (let path = folders.pop(), visited = 1; path !== undefined; path = folders.pop(), visited++) {
    const searched = path
    const entries = entriesOf(searched)
    if (entries.some((one) => one.name === statementFile && one.isFile()))
      found.push(join(searched, statementFile))
    if (visited > limits.folders || found.length > limits.statements)
      throw new UsageError(
        `${folder}: more than ${limits.folders} folders or ${limits.statements} statements; name a smaller folder.`,
      )
    const inner = entries.flatMap((one) => (one.isDirectory() ? [one.name] : [])).toSorted()
    // Of a run it may be as much as every body that the service sent.
    const skipped = entries.some(({ name }) => name === manifestFile) ? ofRun : []
    const entered = inner.filter((name) => !skipped.includes(name)).toReversed()
    folders.push(...entered.map((name) => join(searched, name)))
  }
  return found
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${systemReason(error)}); name another folder.`)
  }
}

function candidateIn(file: string, keys: readonly KeyObject[]): StatedRun | NotCounted {
  const { statementBytes } = limits
  try {
    if (lstatSync(file).size > statementBytes) return { file, why: `larger than ${statementBytes} bytes` }
    const reading = readStatement(readPlain(file), keys)
    if ('why' in reading) return { file, why: reading.why }
    const { statement, key } = reading
    const fits = (): boolean => besideFits(join(file, '..'), statement.subjects)
    return { file, keyid: keyIdOf(key), statement, fits }
  } catch (error) {
    return { file, why: `cannot be read (${systemReason(error)})` }
  }
}

const besideFits = (folder: string, { record, manifest }: Subjects): boolean =>
  Object.entries({ 'run.json': record, [manifestFile]: manifest }).every(([name, digest]) => {
    const file = join(folder, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return !stat || (stat.isFile() && digestOfFile(file, limits.besideBytes).sha256 === digest)
  })

function lineOf(
  { exitCode, reason, by, notCounted }: ReleaseDecision,
  { target, version }: Requirements,
): string {
  const answer = exitCode === ok ? 'PASSED' : 'FAILED'
  // Such as `2 of another version, 1 not signed by a given key`.
  const reasons = Map.groupBy(notCounted, ({ why }) => why)
  const others = [...reasons].map(([why, { length }]) => `${length} ${why}`).join(', ')
  const beside =
    by === null ? ` (${others || 'there are no statements'})` : others && `; not counted: ${others}`
  return `${visibleLine(`${answer}: ${target} ${version}: ${reason}${by ? `, ${runWords(by)}` : ''}${beside}`)}\n`
}

function runWords({ file, keyid, statement: { run, target, contract } }: StatedRun): string {
  const service = `${target.kind}${target.baseUrl === null ? '' : ` ${target.baseUrl}`}`
  return `run ${run.id}, ended ${run.endedAt}, against ${service}, clause set ${contract.revision}, signed by key id ${keyid}, ${file}`
}
