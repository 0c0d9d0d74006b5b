/** The findings of a run held against its plan: every planned check shows up, exactly once. */
import {
  areaOf,
  areas,
  clauses,
  clientAreas,
  commandLineAreas,
  receiverAreas,
  serverAreas,
  type Area,
  type ClauseId,
  levelsIn,
  type Level,
} from '../../spec/index.ts'
import { uncheckedClauses } from '../bundle/clause-set.ts'
import type { Finding, PlannedCheck, Run, RunRecord } from '../bundle/record.ts'

export interface Completeness {
  planned: number
  /** Planned checks with exactly one verdict. */
  judged: number
  missing: readonly PlannedCheck[]
  /** Check ids with a verdict that no plan announced. */
  unplanned: readonly string[]
  /** Check ids with more than one verdict. */
  repeated: readonly string[]
  whole: boolean
}

export function completeness({ record }: Run): Completeness {
  const planned = new Set(record.plan.checks.map((check) => check.check))
  const seen = new Map<string, number>()
  for (const { check } of record.findings) seen.set(check, (seen.get(check) ?? 0) + 1)
  const missing = record.plan.checks.filter(({ check }) => !seen.has(check))
  const unplanned = [...seen.keys()].filter((check) => !planned.has(check))
  const repeated = [...seen.keys()].filter((check) => (seen.get(check) ?? 0) > 1)
  const judged = [...planned].filter((check) => seen.get(check) === 1).length
  const whole = missing.length + unplanned.length + repeated.length === 0
  return { planned: planned.size, judged, missing, unplanned, repeated, whole }
}

/**
 * MUST clauses of the areas that have a suite for which this run planned no check, because of its profile, of `--only`
 * or of what the target has not. They are why a run without one open finding can be partial all the same.
 */
export function leftOut(run: Run): readonly ClauseId[] {
  const { record } = run
  const known = new Set([
    ...record.plan.checks.map(({ subject }) => subject),
    ...record.uncovered.map(({ clause }) => clause),
  ])
  const counted = countedClauses(record)
  const all = areasUnderTest(run).flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  return all.filter((clause) => counted.has(clause) && counted.level(clause) === 'must' && !known.has(clause))
}

/** Areas whose clauses count for what was under test. */
export function areasUnderTest({ record }: Run): readonly Area[] {
  const { kind, client } = record.target
  if (kind === 'client') return client?.as === 'command-line' ? commandLineAreas : clientAreas
  return kind === 'receiver' ? receiverAreas : serverAreas
}

/** In words, for a partial run; empty where nothing was left out. */
export function leftOutWords(run: Run): string {
  const { record } = run
  if (record.conformance !== 'partial') return ''
  const wider = record.run.profile === 'smoke' ? '; the standard profile plans more' : ''
  const planned = number(leftOut(run).length, `no check in this run${wider}`)
  return [planned, ...uncheckedWords(record)].filter((words) => words !== '').join('; ')
}

/** Of a clause set from a file: what it has that is not in the catalogue. */
export function uncheckedWords({ contract, target }: Run['record']): readonly string[] {
  const unchecked = uncheckedClauses(contract, target)
  if (unchecked.length === 0) return []
  const words = number(unchecked.length, 'no check yet')
  return [`${words} (${contract.revision}): ${unchecked.join(', ')}`]
}

function number(clauses: number, what: string): string {
  if (clauses === 0) return ''
  return `${clauses} ${clauses === 1 ? 'MUST clause has' : 'MUST clauses have'} ${what}`
}

/** Every finding, and an error for every planned check that has none. */
export function rowsOf(run: Run): readonly Finding[] {
  return [...run.record.findings, ...completeness(run).missing.map(unjudged)]
}

function unjudged({ check, subject, scenario }: PlannedCheck): Finding {
  const clause = isClause(subject) ? clauses[subject] : undefined
  return {
    check,
    subject,
    area: isClause(subject) ? areaOf[subject] : areaIn(check),
    level: clause?.level ?? 'silent',
    basis: clause?.basis ?? 'silent',
    scenario,
    title: scenario,
    verdict: 'error',
    detail: 'It was planned, and the run recorded no verdict for it.',
    evidence: [],
    states: [],
  }
}

export function isClause(subject: string): subject is ClauseId {
  return Object.hasOwn(clauses, subject)
}

/** A check id begins with its area. */
function areaIn(check: string): Area {
  return check.slice(0, check.indexOf('/')) as Area
}

export interface CountedClauses {
  has(clause: ClauseId): boolean
  /** In the catalogue, of a clause that does not count. */
  level(clause: ClauseId): Level
}

/** A record of a set that this version does not know is taken at its word: everything in it counts. */
export function countedClauses({ contract }: Pick<RunRecord, 'contract'>): CountedClauses {
  const levels = levelsIn(contract)
  return {
    has: (clause) => levels === null || Object.hasOwn(levels, clause),
    level: (clause) => levels?.[clause] ?? clauses[clause].level,
  }
}
