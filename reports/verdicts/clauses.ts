/** The findings of a run held against its plan, the verdict of each clause, and how many MUST clauses came to which. */
import {
  areaOf,
  areas,
  clauseIds,
  clauses,
  clientAreas,
  commandLineAreas,
  levelsIn,
  receiverAreas,
  serverAreas,
  type Area,
  type ClauseId,
  type Level,
} from '../../spec/index.ts'
import { uncheckedClauses } from '../../bundle/clause-set.ts'
import type { Finding, PlannedCheck, Run, RunRecord, Verdict } from '../../bundle/record.ts'
import { clauseVerdict, isShown, verdictsIn } from '../../bundle/verdict.ts'
import { isApart } from './verdicts.ts'

/** Whether every planned check, and no other, has exactly one verdict. */
export function completeness({ record }: Run) {
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

export function areasUnderTest({ record }: Run): readonly Area[] {
  const { kind, client } = record.target
  if (kind === 'client') return client?.as === 'command-line' ? commandLineAreas : clientAreas
  if (kind === 'traffic') return []
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
    // A check id begins with its area.
    area: isClause(subject) ? areaOf[subject] : (check.slice(0, check.indexOf('/')) as Area),
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

/** A record of a set that this version does not know is taken at its word: everything in it counts. */
export function countedClauses({ contract }: Pick<RunRecord, 'contract'>) {
  const levels = levelsIn(contract)
  return {
    has: (clause: ClauseId) => levels === null || Object.hasOwn(levels, clause),
    /** In the catalogue, of a clause that does not count. */
    level: (clause: ClauseId): Level => levels?.[clause] ?? clauses[clause].level,
  }
}

/** `not-planned`: no check of it belongs to this run. `not-covered`: no check of it exists. */
export type ClauseVerdict = Verdict | 'not-planned' | 'not-covered'

export interface ClauseRow {
  clause: ClauseId
  area: Area
  level: Level
  verdict: ClauseVerdict
  findings: readonly Finding[]
  why: string | undefined
  /** It belongs to the set that the run was held against. */
  counts: boolean
}

/** In the order of the catalogue; what is judged apart is not among them. */
export function clauseRows(run: Run): readonly ClauseRow[] {
  return allRows(run).filter((row) => !isApart(row))
}

/** Those that are judged apart, where this run asked for them. */
export function apartClauseRows(run: Run): readonly ClauseRow[] {
  return allRows(run).filter(isApart)
}

function allRows(run: Run): readonly ClauseRow[] {
  const checked = Map.groupBy(rowsOf(run), ({ subject }) => subject)
  const bare = new Map(run.record.uncovered.map(({ clause, why }) => [clause, why]))
  const counted = countedClauses(run.record)
  const own = areasUnderTest(run).flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  const ids = new Set([...own, ...[...checked.keys()].filter(isClause), ...bare.keys()])
  return clauseIds
    .filter((clause) => ids.has(clause))
    .map((clause) => {
      const [findings, why] = [checked.get(clause) ?? [], bare.get(clause)]
      const worst = clauseVerdict(verdictsIn(findings))
      return {
        clause,
        area: areaOf[clause],
        level:
          findings.map(({ level }) => level).find((level) => level !== 'silent') ?? counted.level(clause),
        verdict: worst ?? (why === undefined ? 'not-planned' : 'not-covered'),
        findings,
        why,
        counts: counted.has(clause),
      }
    })
}

export const coverageKinds = [
  'passed',
  'failed',
  'warned',
  'not tested',
  'not applicable',
  'untestable',
] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** What others sent was not tested: a clause was seen, with or without violation, or was not seen. */
const kindsOfTraffic: Partial<Record<CoverageKind, string>> = {
  passed: 'seen without violation',
  failed: 'violated',
  'not tested': 'not seen',
}

export const coverageKindWord = (
  kind: CoverageKind,
  { kind: of }: Pick<RunRecord['target'], 'kind'>,
): string => (of === 'traffic' && kindsOfTraffic[kind]) || kind

export interface Coverage {
  counts: Readonly<Record<CoverageKind, number>>
  /** The one denominator: every MUST clause of the clause set that applies to such a target. */
  all: number
}

export function coverageOf(rows: readonly ClauseRow[]): Coverage {
  const kinds = rows.flatMap((row) => coverageKindOf(row) ?? [])
  const counts = { passed: 0, failed: 0, warned: 0, 'not tested': 0, 'not applicable': 0, untestable: 0 }
  for (const kind of kinds) counts[kind] += 1
  return { counts, all: kinds.length }
}

/** In the order of the rows; areas without a MUST clause are left out. */
export function coverageByArea(rows: readonly ClauseRow[]): readonly (readonly [Area, Coverage])[] {
  const areas = [...Map.groupBy(rows, ({ area }) => area)]
  return areas.map(([area, own]) => [area, coverageOf(own)] as const).filter(([, { all }]) => all > 0)
}

/** Null for a clause that is not among the MUST clauses of the set. */
export function coverageKindOf({ level, counts, verdict, findings }: ClauseRow): CoverageKind | null {
  if (level !== 'must' || !counts) return null
  if (verdict === 'fail') return 'failed'
  if (verdict === 'not-covered') return 'untestable'
  if (!isShown(verdictsIn(findings))) return 'not tested'
  if (verdict === 'warn') return 'warned'
  return verdict === 'not-applicable' ? 'not applicable' : 'passed'
}

/** Such as `10 of 11 MUST clauses tested (not RECV-CONSTANT-TIME)`: up to three that no check judged are named. */
export function testedWords(rows: readonly ClauseRow[]): string {
  const { counts, all } = coverageOf(rows)
  const left = rows.filter((row) => /^(?:not|un)/.test(coverageKindOf(row) ?? ''))
  const named = left[0] && !left[3] ? ` (not ${left.map(({ clause }) => clause).join(', ')})` : ''
  return `${counts.passed + counts.failed + counts.warned} of ${all} MUST clauses tested${named}`
}

/** Rounded down, so that only all is 100. */
export function percentPassed({ counts, all }: Coverage): number {
  return all === 0 ? 0 : Math.floor((100 * counts.passed) / all)
}

/** Such as `122 of 347 MUST clauses passed (35 %), 5 failed, 215 not tested, 5 untestable`. */
export function coverageWords(coverage: Coverage, target: RunRecord['target']): string {
  const { counts, all } = coverage
  const counted = (kind: CoverageKind): string => `${counts[kind]} ${coverageKindWord(kind, target)}`
  const others = [
    counted('failed'),
    ...(counts.warned > 0 ? [counted('warned')] : []),
    counted('not tested'),
    ...(counts['not applicable'] > 0 ? [`${counted('not applicable')} here`] : []),
    ...(target.kind === 'traffic' ? [] : [counted('untestable')]),
  ]
  const passed = coverageKindWord('passed', target)
  return `${counts.passed} of ${all} MUST clauses ${passed} (${percentPassed(coverage)} %), ${others.join(', ')}`
}
