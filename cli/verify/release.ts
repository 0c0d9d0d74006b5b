/** Whether a version may be released, from signed statements of its runs: the newest run that counts decides. */
import type { Statement } from '../../reports/bundle/seal/read-statement.ts'
import { compareClauseSets, type NamedClauseSet } from '../../spec/clause-set.ts'
import { clauseSets } from '../../spec/clause-sets/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { counted } from '../../reports/document/blocks.ts'

export const serviceKinds = ['staging', 'production'] as const

export interface Requirements {
  target: string
  version: string
  /** Of service; both if undefined. */
  kind?: (typeof serviceKinds)[number]
  /** The least published set; one from a file counts itself, too. */
  clauseSet: Pick<NamedClauseSet, 'revision'> & Partial<NamedClauseSet>
  /** Milliseconds. */
  maxAge: number
  accept: 'conformant' | 'gate'
  /** Whether a partial run passes, too. */
  partial: boolean
}

export interface StatedRun {
  file: string
  /** SHA-256, hex, of the key that signed it. */
  keyid: string
  statement: Statement
  /** Whether the files beside it, if any, are those of its run. */
  fits: () => boolean
}

export interface NotCounted {
  file: string
  why: string
}

export interface ReleaseDecision {
  exitCode: number
  reason: string
  /** The run that decided; null if none counts. */
  by: StatedRun | null
  notCounted: readonly NotCounted[]
}

/** Of clocks. Milliseconds. */
const tolerance = 300_000

const worstFirst: readonly number[] = [
  exitCodes.nonconformant,
  exitCodes.stalePolicy,
  exitCodes.lessExercised,
  exitCodes.ok,
]

/** `now`: milliseconds since 1970. */
export function decideRelease(
  candidates: readonly StatedRun[],
  required: Requirements,
  now: number,
): ReleaseDecision {
  const reasons = candidates.map((one) => notCountedBecause(one, required))
  const notCounted = candidates.flatMap(({ file }, index) => {
    const why = reasons[index] ?? null
    return why === null ? [] : [{ file, why }]
  })
  const counting = candidates.filter((_, index) => reasons[index] === null)
  const newest = Math.max(...counting.map(endOf))
  const [decisive] = counting
    .filter((one) => endOf(one) === newest)
    .map((by) => ({ by, ...outcomeOf(by.statement, required, now) }))
    .toSorted((one, other) => worstFirst.indexOf(one.exitCode) - worstFirst.indexOf(other.exitCode))
  if (decisive !== undefined) return { ...decisive, notCounted }
  return { exitCode: exitCodes.lessExercised, reason: 'no run of it counts', by: null, notCounted }
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
  if (contract.fromFile && !isRequired(contract, required)) return unpublished(contract, required)
  const { exitCode } = verdictOf(statement, required)
  if (exitCode === exitCodes.nonconformant) return null
  if (narrowed !== null && !(required.partial && narrowed === 'smoke profile')) return `of a ${narrowed}`
  if (compareClauseSets(contract.revision, required.clauseSet.revision) < 0)
    return `of the older clause set ${contract.revision}`
  if (!contract.fromFile && !isPublished(contract))
    return `of a clause set ${contract.revision} that was altered`
  return exitCode !== exitCodes.ok || fits() ? null : 'about another run than the one beside it'
}

type StatedSet = Statement['contract']

function isRequired({ revision, digest }: StatedSet, { clauseSet }: Requirements): boolean {
  return clauseSet.definition !== undefined && clauseSet.revision === revision && clauseSet.digest === digest
}

/** A failure under a set that nobody asked for is none either. */
function unpublished({ revision }: StatedSet, { clauseSet }: Requirements): string {
  return clauseSet.revision === revision && clauseSet.definition !== undefined
    ? `of a clause set ${revision} that was altered`
    : `of the clause set ${revision} from a file`
}

/** A set that is newer than this version of Touchstone is as its signer says. */
function isPublished({ revision, digest }: StatedSet): boolean {
  const known: Readonly<Record<string, { digest: string }>> = clauseSets
  return !Object.hasOwn(known, revision) || known[revision]?.digest === digest
}

type Outcome = Pick<ReleaseDecision, 'exitCode' | 'reason'>

function outcomeOf(statement: Statement, required: Requirements, now: number): Outcome {
  const verdict = verdictOf(statement, required)
  if (verdict.exitCode !== exitCodes.ok) return verdict
  const age = now - Date.parse(statement.run.endedAt)
  if (age < -tolerance) return notTested(`${verdict.reason}, but dated in the future`)
  if (age <= required.maxAge) return verdict
  return notTested(`${verdict.reason}, but too old (${ageWords(age)}): run it again, or raise max-age`)
}

const notTested = (reason: string): Outcome => ({ exitCode: exitCodes.lessExercised, reason })

function verdictOf(statement: Statement, { accept, partial }: Requirements): Outcome {
  const { conformance, gate, waived, whole, narrowed } = statement
  if (accept === 'gate') {
    if (gate.passed) return { exitCode: exitCodes.ok, reason: `gate passed (${conformance})` }
    const known = [exitCodes.nonconformant, exitCodes.stalePolicy].find((code) => code === gate.exitCode)
    return { exitCode: known ?? exitCodes.lessExercised, reason: `gate failed (${conformance})` }
  }
  if (conformance === 'nonconformant') {
    const waivers = waived === 0 ? '' : ` (${waived} waived; see accept=gate)`
    return { exitCode: exitCodes.nonconformant, reason: `nonconformant${waivers}` }
  }
  if (conformance === 'conformant' && whole && narrowed === null)
    return { exitCode: exitCodes.ok, reason: 'conformant' }
  return partial ? { exitCode: exitCodes.ok, reason: 'PARTIAL' } : notTested('partial')
}

const ageUnits = Object.entries({ day: 86_400_000, hour: 3_600_000, minute: 60_000 })

/** In the largest unit of which there are at least two. */
function ageWords(milliseconds: number): string {
  const [unit, length] = ageUnits.find(([, one]) => milliseconds >= 2 * one) ?? ['second', 1_000]
  return counted(Math.floor(milliseconds / length), unit)
}
