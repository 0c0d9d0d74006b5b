/** `touchstone clauses --diff`: what changes from one clause set to another, also for a recorded run. */
import { clauseSetWords } from '../../reports/bundle/clause-set.ts'
import type { Move, OtherAnswers, RunRecord } from '../../reports/bundle/record.ts'
import { moveWords } from '../../reports/run/parts.ts'
import { visibleLine } from '../../reports/visible.ts'
import {
  type NamedClauseSet,
  clauses,
  clauseText,
  contractIdentifiers,
  levelsIn,
  ownText,
  type ClauseId,
  type Identifiers,
  type Level,
} from '../../spec/index.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { scenariosFor, serverScenarios } from '../../suites/scenarios.ts'
import type { Io } from '../io.ts'
import { listEntry, printedJson } from '../lists/print.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { identifiersFrom, type VendorCommandOptions } from '../vendor.ts'
import { clientScenarios } from '../../suites/clients/index.ts'
import { receiverScenarios } from '../../suites/receivers/index.ts'
import { checkId } from '../../suites/runner/outcome/judge.ts'

const setChangeKinds = ['added', 'removed', 'raised', 'lowered', 'reworded'] as const
type SetChangeKind = (typeof setChangeKinds)[number]

interface ClauseIn {
  level: Level
  text: string
}

interface SetChange {
  clause: string
  change: SetChangeKind
  /** Its wording differs, whatever else does. */
  reworded: boolean
  /** Null of a clause that the set does not have. */
  from: ClauseIn | null
  to: ClauseIn | null
  /** Ids of the checks of the clause. */
  checks: readonly string[]
}

/** By kind, then by id. */
function compareSets(
  from: NamedClauseSet,
  to: NamedClauseSet,
  identifiers: Identifiers = contractIdentifiers,
): readonly SetChange[] {
  const [before, after] = [from, to].map((set) => levelsIn(set) ?? {})
  const checks = checksByClause()
  const ids = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  const changes = ids.flatMap((clause): SetChange[] => {
    const [was, is] = [clauseIn(from, clause, before?.[clause]), clauseIn(to, clause, after?.[clause])]
    const change = changeOf(was, is)
    if (change === null) return []
    const reworded = was !== null && is !== null && was.text !== is.text
    return [{ clause, change, reworded, from: was, to: is, checks: checks.get(clause) ?? [] }]
  })
  return setChangeKinds.flatMap((kind) => changes.filter(({ change }) => change === kind))

  function clauseIn(set: NamedClauseSet, id: string, level: Level | undefined): ClauseIn | null {
    if (level === undefined) return null
    const text =
      ownText(set, id) ?? (Object.hasOwn(clauses, id) ? clauseText(id as ClauseId, identifiers) : '')
    return { level, text }
  }
}

function changeOf(was: ClauseIn | null, is: ClauseIn | null): SetChangeKind | null {
  if (was === null) return 'added'
  if (is === null) return 'removed'
  if (was.level !== is.level) return is.level === 'must' ? 'raised' : 'lowered'
  return was.text === is.text ? null : 'reworded'
}

function checksByClause(): ReadonlyMap<string, readonly string[]> {
  const scenarios = { ...serverScenarios, ...receiverScenarios, ...clientScenarios }
  const checks = Object.entries(scenarios).flatMap(([id, { judge }]) =>
    (Object.keys(judge) as ClauseId[]).map((clause) => ({ clause, check: checkId(id, clause) })),
  )
  const groups = Map.groupBy<string, (typeof checks)[number]>(checks, ({ clause }) => clause)
  return new Map([...groups].map(([clause, own]) => [clause, own.map(({ check }) => check)]))
}

export interface SetDiffOptions extends VendorCommandOptions {
  diff: readonly string[]
  run?: string
  json?: true
}

/** Throws UsageError, ConfigurationError and BundleError. */
export function printSetDiff({ diff, run, json, ...vendor }: SetDiffOptions, io: Io): void {
  const [one, other, ...more] = diff
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError(
      `--diff takes two clause sets, and got ${diff.length}: give names or files, and the folder of a run with --run.`,
    )
  const [from, to] = [findClauseSet(one), findClauseSet(other)]
  const changes = compareSets(from, to, identifiersFrom(vendor))
  const moved = run === undefined ? null : movedIn(run, from, to)
  if (json) return io.out(printedJson(asJson(from, to, changes, moved)))
  io.out(`${clauseSetWords(from)} → ${clauseSetWords(to)}\n${totals(changes)}\n`)
  for (const kind of setChangeKinds)
    for (const entry of entriesOf(
      kind,
      changes.filter(({ change }) => change === kind),
      io.width,
    ))
      io.out(entry)
  if (moved !== null) io.out(movedText(moved, io.width))
}

function totals(changes: readonly SetChange[]): string {
  const counts = setChangeKinds.flatMap((kind) => {
    const { length } = changes.filter(({ change }) => change === kind)
    return length === 0 ? [] : [`${length} ${kind}`]
  })
  return counts.join(', ') || 'no difference'
}

function entriesOf(kind: SetChangeKind, changes: readonly SetChange[], width: number): readonly string[] {
  if (changes.length === 0) return []
  return [
    `\n${kind}\n`,
    ...changes.map(({ clause, reworded, from, to, checks }) => {
      const levels = [from, to].flatMap((one) => (one === null ? [] : [one.level.toUpperCase()]))
      const words = [[...new Set(levels)].join(' → '), ...(reworded ? ['reworded'] : [])].join(', ')
      const texts = reworded ? [`was: ${from?.text}`, `is: ${to?.text}`] : [(to ?? from)?.text ?? '']
      const cited = checks.length === 0 ? ['no check yet'] : checks
      return listEntry(`  ${clause}  ${words}`, [...texts, ...cited], width)
    }),
  ]
}

interface MovedRun {
  folder: string
  /** As it is judged by the first set. */
  record: RunRecord
  /** By the second. */
  answers: OtherAnswers
}

function movedIn(folder: string, contract: NamedClauseSet, other: NamedClauseSet): MovedRun {
  const { run, basis } = readBundle(folder)
  const record = rejudge(run, scenariosFor(run.record), { ...basis, contract, otherSets: [other] })
  const [answers] = record.otherAnswers ?? []
  if (answers === undefined) throw new Error(`${folder} was not judged by ${other.revision}`)
  return { folder, record, answers }
}

function pairsOf({ record, answers }: MovedRun): readonly (readonly [before: Move, after: Move])[] {
  const found = new Map(record.findings.map((finding) => [finding.check, finding]))
  return answers.moves.flatMap((after) => {
    const before = found.get(after.check)
    return before ? [[before, after] as const] : []
  })
}

function movedText(moved: MovedRun, width: number): string {
  const { folder, record, answers } = moved
  const step = (before: string | number, after: string | number): string =>
    before === after ? `${before} as before` : `${before} → ${after}`
  const lines = pairsOf(moved).map(([before, after]) =>
    listEntry(`  ${moveWords(before, after)}`, [visibleLine(after.check)], width),
  )
  return [
    `\nrun ${visibleLine(record.run.id)} in ${visibleLine(folder)}\n`,
    `  conformance  ${step(record.conformance, answers.conformance)}\n`,
    `  exit code    ${step(record.exitCode, answers.exitCode)}\n`,
    ...answers.gate.because.map((reason) => listEntry('  because', [visibleLine(reason)], width)),
    ...(lines.length === 0 ? ['  no verdict moves\n'] : lines),
  ].join('')
}

function asJson(
  from: NamedClauseSet,
  to: NamedClauseSet,
  changes: readonly SetChange[],
  moved: MovedRun | null,
) {
  const named = ({ revision, digest }: NamedClauseSet) => ({ name: revision, digest })
  return {
    schemaVersion: 1,
    from: named(from),
    to: named(to),
    changes,
    run: moved && {
      folder: moved.folder,
      id: moved.record.run.id,
      from: { conformance: moved.record.conformance, exitCode: moved.record.exitCode },
      to: { conformance: moved.answers.conformance, exitCode: moved.answers.exitCode },
      moves: pairsOf(moved).map(([before, after]) => ({
        check: after.check,
        from: standingOf(before),
        to: standingOf(after),
      })),
    },
  }
}

function standingOf({ verdict, level, provisional }: Move) {
  return { verdict, level, counts: provisional !== true }
}
