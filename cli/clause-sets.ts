/** The clause sets of a command line, and what changes from one to another, also for a recorded run. */
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Move, OtherAnswers, RunRecord } from '../bundle/record.ts'
import { moveWords } from '../reports/run/parts.ts'
import { visibleLine } from '../reports/visible.ts'
import { clauses, clauseText, levelsIn, ownText } from '../spec/index.ts'
import type { ClauseId, Identifiers, Level, NamedClauseSet } from '../spec/index.ts'
import { clientScenarios } from '../suites/clients/index.ts'
import type { Target } from '../suites/config/target.ts'
import { findClauseSet } from '../suites/policy/clause-set-file.ts'
import { receiverScenarios } from '../suites/receivers/index.ts'
import { checkId } from '../suites/runner/outcome/judge.ts'
import { rejudge } from '../suites/runner/outcome/rejudge.ts'
import { scenariosFor, serverScenarios } from '../suites/scenarios.ts'
import type { CommandAnswer } from './command.ts'
import { listEntry } from './command.ts'
import type { Io } from './io.ts'
import { type VendorCommandOptions, identifiersFrom } from './options.ts'
import { readBundle } from './rejudge/read-bundle.ts'
import { UsageError } from './usage-error.ts'

/** The first decides. Throws a UsageError for a set that is given twice, and a ConfigurationError. */
export function clauseSetsNamed(named: readonly string[]): Pick<Target, 'contract' | 'otherSets'> {
  const [contract, ...otherSets] = named.map(findClauseSet)
  const names = [contract, ...otherSets].map((set) => set?.revision)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    throw new UsageError(`--clause-set: ${twice} is given twice; leave one out, or give it another name.`)
  if (contract === undefined) return {}
  return { contract, ...(otherSets.length > 0 && { otherSets }) }
}

const changeKinds = ['added', 'removed', 'raised', 'lowered', 'reworded'] as const
type ChangeKind = (typeof changeKinds)[number]

interface ClauseIn {
  level: Level
  text: string
}

type SetChange = ReturnType<typeof compareSets>[number]

/** By kind, then by id. */
function compareSets(from: NamedClauseSet, to: NamedClauseSet, identifiers: Identifiers) {
  const clausesIn = (set: NamedClauseSet): Readonly<Record<string, ClauseIn>> =>
    Object.fromEntries(
      Object.entries(levelsIn(set) ?? {}).map(([id, level]) => {
        const known = Object.hasOwn(clauses, id) ? clauseText(id as ClauseId, identifiers) : ''
        return [id, { level, text: ownText(set, id) ?? known }]
      }),
    )
  const [before, after] = [clausesIn(from), clausesIn(to)]
  const scenarios = Object.entries({ ...serverScenarios, ...receiverScenarios, ...clientScenarios })
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const changes = ids.flatMap((clause) => {
    // Null of a clause that the set does not have.
    const [was, is] = [before[clause] ?? null, after[clause] ?? null]
    // Whatever else differs.
    const reworded = was !== null && is !== null && was.text !== is.text
    const change = changeOf(was, is, reworded)
    const checks = scenarios.flatMap(([id, { judge }]) =>
      Object.hasOwn(judge, clause) ? [checkId(id, clause as ClauseId)] : [],
    )
    return change === null ? [] : [{ clause, change, reworded, from: was, to: is, checks }]
  })
  return changeKinds.flatMap((kind) => changes.filter(({ change }) => change === kind))
}

function changeOf(was: ClauseIn | null, is: ClauseIn | null, reworded: boolean): ChangeKind | null {
  if (was === null || is === null) return was === null ? 'added' : 'removed'
  if (was.level !== is.level) return is.level === 'must' ? 'raised' : 'lowered'
  return reworded ? 'reworded' : null
}

export function setDiff(
  { diff, run, ...vendor }: VendorCommandOptions & { diff: readonly string[]; run?: string },
  { width }: Io,
): CommandAnswer {
  const [one, other, ...more] = diff
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError(
      `--diff takes two clause sets, and got ${diff.length}: give names or files, and the folder of a run with --run.`,
    )
  const [from, to] = [findClauseSet(one), findClauseSet(other)]
  const changes = compareSets(from, to, identifiersFrom(vendor))
  const moved = run === undefined ? null : movedIn(run, from, to)
  const groups = changeKinds.flatMap((kind) => {
    const entries = changes.filter(({ change }) => change === kind)
    return entries.length === 0 ? [] : [{ kind, entries }]
  })
  const totals = groups.map(({ kind, entries }) => `${entries.length} ${kind}`).join(', ') || 'no difference'
  return {
    json: asJson(from, to, changes, moved),
    text: [
      `${clauseSetWords(from)} → ${clauseSetWords(to)}\n${totals}\n`,
      ...groups.flatMap(({ kind, entries }) => [
        `\n${kind}\n`,
        ...entries.map((change) => changeText(change, width)),
      ]),
      moved === null ? '' : movedText(moved, width),
    ].join(''),
  }
}

function changeText({ clause, reworded, from, to, checks }: SetChange, width: number): string {
  const levels = [from, to].flatMap((one) => (one === null ? [] : [one.level.toUpperCase()]))
  const words = `${[...new Set(levels)].join(' → ')}${reworded ? ', reworded' : ''}`
  const texts = reworded ? [`was: ${from?.text}`, `is: ${to?.text}`] : [(to ?? from)?.text ?? '']
  return listEntry(
    `  ${clause}  ${words}`,
    [...texts, ...(checks.length === 0 ? ['no check yet'] : checks)],
    width,
  )
}

type MovedRun = ReturnType<typeof movedIn>

/** As it is judged by the first set, and what the second answers. */
function movedIn(folder: string, contract: NamedClauseSet, other: NamedClauseSet) {
  const { run, basis } = readBundle(folder)
  const record = rejudge(run, scenariosFor(run.record), { ...basis, contract, otherSets: [other] })
  const [answers] = record.otherAnswers ?? []
  if (answers === undefined) throw new Error(`${folder} was not judged by ${other.revision}`)
  const found = new Map(record.findings.map((finding) => [finding.check, finding]))
  const moves = answers.moves.flatMap((after) => {
    const before = found.get(after.check)
    return before ? [[before, after] as const] : []
  })
  return { folder, record, answers, moves }
}

function movedText({ folder, record, answers, moves }: MovedRun, width: number): string {
  const step = (before: string | number, after: string | number): string =>
    before === after ? `${before} as before` : `${before} → ${after}`
  return [
    `\nrun ${visibleLine(record.run.id)} in ${visibleLine(folder)}\n`,
    `  conformance  ${step(record.conformance, answers.conformance)}\n`,
    `  exit code    ${step(record.exitCode, answers.exitCode)}\n`,
    ...answers.gate.because.map((reason) => listEntry('  because', [visibleLine(reason)], width)),
    ...moves.map(([before, after]) =>
      listEntry(`  ${moveWords(before, after)}`, [visibleLine(after.check)], width),
    ),
    ...(moves.length === 0 ? ['  no verdict moves\n'] : []),
  ].join('')
}

function asJson(
  from: NamedClauseSet,
  to: NamedClauseSet,
  changes: readonly SetChange[],
  moved: MovedRun | null,
) {
  const named = ({ revision, digest }: NamedClauseSet) => ({ name: revision, digest })
  const result = ({ conformance, exitCode }: RunRecord | OtherAnswers) => ({ conformance, exitCode })
  const standing = ({ verdict, level, provisional }: Move) => ({
    verdict,
    level,
    counts: provisional !== true,
  })
  return {
    schemaVersion: 1,
    from: named(from),
    to: named(to),
    changes,
    run: moved && {
      folder: moved.folder,
      id: moved.record.run.id,
      from: result(moved.record),
      to: result(moved.answers),
      moves: moved.moves.map(([before, after]) => ({
        check: after.check,
        from: standing(before),
        to: standing(after),
      })),
    },
  }
}
