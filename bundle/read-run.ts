/** Reads the run in a folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clauses, gaps } from '../spec/index.ts'
import { altered, BundleError, unknown, unreadable } from './errors.ts'
import { writerIn } from './folder/lock.ts'
import { runningOf } from './folder/report-folder.ts'
import { plainOrRefused } from './folder/plain-file.ts'
import { mustFitMemory } from './journal/lines.ts'
import { journalIn, type RecordedJournal } from './journal/reader.ts'
import { parseJson } from './json.ts'
import {
  type Basis,
  partsOf,
  type Opening,
  type Plan,
  type PlanFile,
  type Run,
  type RunRecord,
} from './record.ts'
import { basisFile, planFile, recordFile } from './names.ts'
import { isNewer, judgingProblem, planProblem, runProblem, type Problem } from './schema/problem.ts'

export interface InterruptedRun {
  opening: Opening
  plan: Plan
  basis: Basis
  journal: RecordedJournal
}

export interface InterruptedRunJudge {
  judge: (left: InterruptedRun) => Run
  /** Where the journal ends, in a sentence. `writer`: the process that is still writing it. */
  ends: (left: Pick<InterruptedRun, 'journal' | 'plan'>, run: Run, writer?: number | null) => string
}

export interface RecordedRun {
  run: Run
  basis: Basis
  /** Where an interrupted run ends, in a sentence; null for a whole one. */
  ends: string | null
}

/**
 * Reads a run. An interrupted one is judged as far as it was recorded. Throws a BundleError with the file, and the line
 * if there is one, for what cannot be read and for what was altered. `journalOf`: gives the journal of this plan, if it was
 * read before.
 */
export function readRun(
  path: string,
  { judge, ends }: InterruptedRunJudge,
  journalOf = (plan: Uint8Array): RecordedJournal => journalIn(path, plan),
): RecordedRun {
  mustExist(path)
  mustFitMemory(path)
  const planned = bytesOf(path, planFile)
  const { plan, opening } = partsOf(fitting(path, planFile, planned, planProblem) as PlanFile)
  mustBeKnown(path, plan)
  const basis = fitting(path, basisFile, bytesOf(path, basisFile), judgingProblem) as Basis
  const journal = journalOf(planned)
  // No copies: nothing else refers to them.
  if (basis.identifiers) for (const one of journal.exchanges) one.identifiers = basis.identifiers
  if (!existsSync(join(path, recordFile))) {
    const left = { opening, plan, basis, journal }
    const run = judge(left)
    return { run, basis, ends: ends(left, run, writerIn(path)) }
  }
  const record = fitting(path, recordFile, bytesOf(path, recordFile), runProblem) as RunRecord
  mustBelong(path, record, plan, journal)
  const run = { record, journal: journal.exchanges }
  return { run, basis, ends: isCrashed(record) ? ends({ journal, plan }, run) : null }
}

function mustExist(path: string): void {
  if (existsSync(path) || !existsSync(runningOf(path))) return
  throw new BundleError(
    `${path} does not exist: the run is not complete; what it has written is in ${runningOf(path)}.`,
  )
}

function bytesOf(path: string, file: string): Buffer {
  return plainOrRefused(join(path, file))
}

function fitting(path: string, file: string, content: Buffer, problem: Problem): unknown {
  const parsed = parseJson(content.toString())
  if (!parsed.ok) throw unreadable(join(path, file), new SyntaxError(parsed.why))
  const mismatch = problem(parsed.value)
  if (mismatch !== null && isNewer(mismatch)) throw new BundleError(`${join(path, file)}${mismatch}.`)
  if (mismatch !== null) throw altered(join(path, file), `it does not fit its schema: ${mismatch.trim()}`)
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
function mustBelong(path: string, record: RunRecord, plan: Plan, journal: RecordedJournal): void {
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
