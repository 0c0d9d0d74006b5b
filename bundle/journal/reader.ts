/** Reads the journal that a run wrote, line by line: what was altered, removed or added is refused and named. */
import { join } from 'node:path'
import {
  isBegun,
  type JournalSeal,
  type Lifecycle,
  type Opening,
  type RunRecord,
  type ScenarioRun,
} from '../record.ts'
import type { Exchange } from '../exchange.ts'
import { fromChecked, type PlainExchange, type ReadBody } from './codec.ts'
import type { Json } from '../json.ts'
import { evidenceIn } from './evidence.ts'
import { eachJournalLine, type JournalLine } from './lines.ts'
import { sha256 } from '../seal/digest.ts'
import { altered, BundleError, unreadable } from '../errors.ts'
import { journalFile } from '../names.ts'
import { errorMessage } from '../text.ts'

export interface RecordedScenarioRun {
  scenarioRun: ScenarioRun
  /** Total usage when the scenario had ended. */
  used: RunRecord['used']
}

export interface RecordedJournal extends JournalSeal {
  /** Null where not even the first line was written. */
  opening: Opening | null
  /** In the order sent. */
  exchanges: readonly Exchange[]
  /** In the order run. */
  scenarioRuns: readonly RecordedScenarioRun[]
  /** Null where the run was cut off. */
  end: Lifecycle | null
  /** Bytes of a line that was being written when the run was cut off. */
  cutOff: number
}

/** Throws a BundleError with the number of the line, counted from 1. `plan`: what stands in the plan's file. */
export function journalIn(path: string, plan: Uint8Array): RecordedJournal {
  const reading = startReading(path, plan, evidenceIn(path).read)
  try {
    return reading.end(eachJournalLine(path, (line) => reading.take(line)))
  } catch (error) {
    // Between the plan and the first line there is a moment without a journal.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return reading.end(0)
    throw error instanceof BundleError ? error : unreadable(join(path, journalFile), error)
  }
}

/** Throws as above. `read`: gives the bodies beside the journal. */
export function startReading(path: string, plan: Uint8Array, read: ReadBody) {
  const recorded = collectRecorded(read)
  let [seq, head] = [0, sha256(plan)]
  return {
    take(line: JournalLine): void {
      try {
        recorded.take(chained(line, { seq, head }))
      } catch (error) {
        throw altered(`${join(path, journalFile)}, line ${seq + 1}`, errorMessage(error))
      }
      seq++
      head = line.sha256
    },
    /** `cutOff`: bytes after the last line. */
    end: (cutOff: number): RecordedJournal => ({ ...recorded.sum(), lines: seq, head, cutOff }),
  }
}

type Members = Readonly<Record<string, Json>> & { seq: number; is: string }

function chained({ reading, problem }: JournalLine, { seq, head }: { seq: number; head: string }): Members {
  if (!reading.ok) throw new Error(`it is not JSON: ${reading.why}`)
  if (problem !== null) throw new Error(`it is no line of a journal: ${problem.trim()}`)
  // The schema says that it is one.
  const it = reading.value as unknown as Members
  if (it.seq !== seq) throw new Error(`it is number ${it.seq} of the journal, not ${seq}`)
  if (it['prev'] !== head)
    throw new Error(
      seq === 0
        ? 'it belongs to another plan: plan.json is not as it was when the run began'
        : `it is not chained to the line before it, so that line ${seq} is not as it was written`,
    )
  return it
}

function collectRecorded(read: ReadBody) {
  const exchanges = new Map<number, Exchange>()
  const scenarioRuns = new Map<string, RecordedScenarioRun>()
  let opening: Opening | null = null
  let end: Lifecycle | null = null

  const takes: Readonly<Record<string, (it: Members) => void>> = {
    run(it) {
      opening = it['opening'] as unknown as Opening
    },
    exchange(it) {
      const exchange = fromChecked(it['exchange'] as unknown as PlainExchange, read)
      if (exchanges.has(exchange.id)) throw new Error(`exchange ${exchange.id} was there before`)
      exchanges.set(exchange.id, exchange)
    },
    scenario(it) {
      const { scenarioRun, used } = it as unknown as RecordedScenarioRun
      const { scenario, since = 0 } = scenarioRun
      const before = scenarioRuns.get(`${scenario} ${since}`)?.scenarioRun
      // A further attempt has one line as it begins, and one when it has ended.
      if (before && !isBegun(before)) throw new Error(`${scenario} is recorded twice`)
      scenarioRuns.set(`${scenario} ${since}`, { scenarioRun, used })
    },
    end(it) {
      const { endedAt, lifecycle } = it as unknown as Lifecycle
      if (it['exchanges'] !== exchanges.size)
        throw new Error(`it counts other exchanges than the ${exchanges.size} that there are`)
      end = { endedAt, lifecycle }
    },
  }

  return {
    take(it: Members): void {
      if (end) throw new Error('it comes after the end of the run')
      const { is, seq } = it
      if ((seq === 0) !== (is === 'run')) throw new Error(`it is a line of \`${is}\` in the wrong place`)
      takes[is]?.(it)
    },
    sum: () => ({
      opening,
      exchanges: [...exchanges.values()].toSorted((a, b) => a.id - b.id),
      scenarioRuns: [...scenarioRuns.values()],
      end,
    }),
  }
}
