/** What a run leaves on disk, as a whole: written when it has ended, and read back. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exporters } from '../../reports/index.ts'
import type { Beside } from '../../reports/exporter.ts'
import { judgingProblem, planProblem, runProblem, type Problem } from '../../reports/bundle/schema/problem.ts'
import { clauses, gaps } from '../../spec/index.ts'
import type { Opening, Plan, Run, RunRecord } from '../../reports/bundle/record.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { identified } from '../../suites/wire/exchange.ts'
import { parseJson } from '../../suites/wire/json.ts'
import type { Basis } from './basis.ts'
import { cleaningOf, redacted } from './cleaning.ts'
import { cutOffRun, endsOf } from './cut-off.ts'
import type { Making } from './defects.ts'
import { journalIn, type Journal } from './journal-reader.ts'
import { createJournal } from './journal-writer.ts'
import type { Folder } from './folder.ts'
import { writerIn } from './lock.ts'
import { basisFile, journalFile, planFile, recordFile } from './names.ts'
import { plainOrRefused } from './plain-file.ts'
import { altered, unknown, unreadable } from './refused.ts'

export { secretsOf, redacted, basisFile, type Basis }

/** File contents by name. */
export type Bundle = ReadonlyMap<string, string | Uint8Array>

/** What every exporter makes of the run, but for those that cannot. `run` must be without secrets. */
export function reportsOf(run: Run, beside: Beside, make: Making['make']): Bundle {
  const made = new Map<string, string | Uint8Array>()
  for (const { name, file, render } of exporters) make(name, () => made.set(file, render(run, beside)))
  return made
}

/** All files of a run but its counterexamples, as if it had been written in one go. `run` must be without secrets. */
export function bundleOf(run: Run, basis: Basis, counterexamples: Bundle = new Map()): Bundle {
  const files = new Map<string, string | Uint8Array>()
  const lines: string[] = []
  const journal = createJournal(
    {
      write: (file, content) => void files.set(file, content),
      grow: () => ({ add: (line) => void lines.push(line), end: () => undefined }),
    },
    basis,
    cleaningOf([]),
  )
  const { plan, findings: _, scenarioRuns, used, journal: __, ...opening } = run.record
  journal.on({ is: 'planned', planned: { plan }, opening: openingIn(opening) })
  for (const exchange of run.journal) journal.on({ is: 'exchange', exchange })
  for (const scenarioRun of scenarioRuns) journal.on({ is: 'scenario-run', scenarioRun, used })
  const sealed = journal.end(run)
  const beside = { files: new Set(counterexamples.keys()) }
  const reports = reportsOf(sealed, beside, (_, doing) => doing())
  return new Map([...files, [journalFile, lines.join('')], ...reports])
}

export function writeBundle(bundle: Bundle, folder: Pick<Folder, 'write'>): void {
  for (const [file, content] of bundle) folder.write(file, content)
}

function openingIn(record: Pick<RunRecord, keyof Opening>): Opening {
  const { schemaVersion, tool, target, contract, budgets, run: whole } = record
  const { endedAt: _, lifecycle: __, ...run } = whole
  return { schemaVersion, tool, run, target, contract, budgets }
}

export interface ReadBundle {
  run: Run
  basis: Basis
  /** Where a run that was cut off ends, in a sentence; null of one that is whole. */
  ends: string | null
}

/**
 * Reads back what a run left. Of one that was cut off, what was told by then is judged again. Throws a UsageError
 * that names the file, and the line where there is one, for what cannot be read and for what was altered.
 */
export function readBundle(path: string): ReadBundle {
  const planned = bytesOf(path, planFile)
  const { plan, ...opening } = fitting(path, planFile, planned, planProblem) as Opening & { plan: Plan }
  mustBeKnown(path, plan)
  const basis = fitting(path, basisFile, bytesOf(path, basisFile), judgingProblem) as Basis
  const written = journalIn(path, planned)
  const journal = {
    ...written,
    exchanges: written.exchanges.map((one) => identified(one, basis.identifiers)),
  }
  if (!existsSync(join(path, recordFile))) {
    const left = { opening, plan, basis, journal }
    const run = cutOffRun(left)
    return { run, basis, ends: endsOf(left, run, writerIn(path)) }
  }
  const record = fitting(path, recordFile, bytesOf(path, recordFile), runProblem) as RunRecord
  mustBelong(path, record, plan, journal)
  const run = { record, journal: journal.exchanges }
  return { run, basis, ends: isCrashed(record) ? endsOf({ journal, plan }, run) : null }
}

function bytesOf(path: string, file: string): Buffer {
  return plainOrRefused(join(path, file))
}

function fitting(path: string, file: string, content: Buffer, problem: Problem): unknown {
  const parsed = parseJson(content.toString())
  if (!parsed.ok) throw unreadable(join(path, file), new SyntaxError(parsed.why))
  const told = problem(parsed.value)
  if (told !== null) throw altered(join(path, file), `it does not fit its schema: ${told.trim()}`)
  return parsed.value
}

/** A clause of a newer catalogue has no wording here, and none of its reports could be made. */
function mustBeKnown(path: string, { checks }: Plan): void {
  const strange = checks.find(
    ({ subject }) => !Object.hasOwn(clauses, subject) && !Object.hasOwn(gaps, subject),
  )
  if (strange) throw unknown(join(path, planFile), `${strange.subject} of ${strange.check}`)
}

/** The record is of this plan and this journal, to the last line. */
function mustBelong(path: string, record: RunRecord, plan: Plan, journal: Journal): void {
  const wrong = (why: string): Error => altered(join(path, recordFile), why)
  if (journal.opening?.run.id !== record.run.id)
    throw wrong(`it is of the run ${record.run.id}, and the journal beside it of another`)
  if (JSON.stringify(record.plan) !== JSON.stringify(plan))
    throw wrong('its plan is not the one in plan.json')
  const { lines, head } = record.journal ?? { lines: 0, head: '' }
  const whole = journal.end !== null && journal.cutOff === 0
  if (lines !== journal.lines)
    throw wrong(`it seals a journal of ${lines} lines, and there are ${journal.lines} beside it`)
  if (head !== journal.head) throw wrong('it seals another journal than the one beside it')
  if (!whole && !isCrashed(record))
    throw wrong('it is of a run that ended, and the journal beside it has no end')
  const planned = new Map(plan.checks.map(({ check, subject }) => [check, subject]))
  const strange = record.findings.find(({ check, subject }) => planned.get(check) !== subject)
  if (strange) throw wrong(`it finds on ${strange.check} for ${strange.subject}, which was not planned`)
}

/** Such a record was put together later, by `rejudge` or `report`. */
const isCrashed = ({ run }: RunRecord): boolean => run.lifecycle === 'crashed'
