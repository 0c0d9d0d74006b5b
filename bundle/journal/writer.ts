/**
 * The journal of a run, written as it happens: what a killed run leaves can be read up to its last whole line.
 */
import {
  type JournalSeal,
  type Lifecycle,
  type Opening,
  type Plan,
  type PlanFile,
  type Run,
  type RunRecord,
  type ScenarioRun,
  plainBasis,
  type Basis,
} from '../record.ts'
import type { Exchange } from '../exchange.ts'
import { pretty } from '../text.ts'
import { toPlain } from './codec.ts'
import { keepIn } from './evidence.ts'
import type { Folder, Growing } from '../folder/folder.ts'
import { sha256 } from '../seal/digest.ts'
import { basisFile, journalFile, planFile } from '../names.ts'

/** What of a run its journal records: plain data, which can be sent to another thread. */
export type RunEvent =
  | { is: 'planned'; planned: { plan: Plan }; opening: Opening }
  | { is: 'exchange'; exchange: Exchange }
  /** The result of a scenario, with what the run has used by then. */
  | { is: 'scenario-run'; scenarioRun: ScenarioRun; used: RunRecord['used'] }

export interface JournalWriter {
  /** Throws what the folder throws; nothing may be added after that. */
  on(event: RunEvent): void
  /** Ends the journal, and gives the run as it was written, sealed. */
  end(run: Run): Run
}

type Place = Pick<Folder, 'write' | 'grow'>

/** What it writes must be redacted. */
export function createJournalWriter(place: Place, basis: Basis): JournalWriter {
  const keep = keepIn((file, body) => place.write(file, body))
  let lines: ReturnType<typeof chainedLines> | null = null
  let exchanges = 0
  let over = false
  const add = (content: object): void => {
    if (!lines) throw new Error('the run reported something before its plan')
    lines.add(content)
  }

  const takes: { [K in RunEvent['is']]: (event: Extract<RunEvent, { is: K }>) => void } = {
    /** The plan last: where it is, all that is needed to read it is. */
    planned({ opening, planned }) {
      const judging = pretty(plainBasis(basis))
      const text = planText(opening, planned.plan, judging)
      place.write(basisFile, judging)
      place.write(planFile, text)
      lines = chainedLines(text, place.grow(journalFile))
      add({ is: 'run', opening })
    },
    exchange({ exchange }) {
      add({ is: 'exchange', exchange: toPlain(exchange, keep) })
      exchanges++
    },
    'scenario-run'({ scenarioRun, used }) {
      add({ is: 'scenario', scenarioRun, used })
    },
  }

  return {
    on(event) {
      // What a target still delivers after the run is no part of it.
      if (!over) takes[event.is](event as never)
    },
    end({ record, journal }) {
      if (journal.length > exchanges)
        throw new Error(`the run made ${journal.length} exchanges, and reported ${exchanges}`)
      over = true
      const { endedAt, lifecycle } = record.run satisfies Lifecycle
      add({ is: 'end', endedAt, lifecycle, exchanges })
      return { record: { ...record, journal: lines?.end() }, journal }
    },
  }
}

/** Writes a run that has ended. Returns it was written. */
export function writeJournalOf(run: Run, journal: JournalWriter): Run {
  const { plan, findings: _, scenarioRuns, used, journal: __, ...opening } = run.record
  journal.on({ is: 'planned', planned: { plan }, opening: openingIn(opening) })
  for (const exchange of run.journal) journal.on({ is: 'exchange', exchange })
  for (const scenarioRun of scenarioRuns) journal.on({ is: 'scenario-run', scenarioRun, used })
  return journal.end(run)
}

/** `judging`: the text of judging.json. */
export function planText(opening: Opening, plan: Plan, judging: string): string {
  return pretty({ ...opening, judging: sha256(judging), plan } satisfies PlanFile)
}

export function openingIn(record: Pick<RunRecord, keyof Opening>): Opening {
  const { schemaVersion, tool, target, contract, budgets, run: whole } = record
  const { endedAt: _, lifecycle: __, ...run } = whole
  return { schemaVersion, tool, run, target, contract, budgets }
}

/**
 * Lines that are chained: each holds the digest of the one before it, and the first that of what was planned. Who
 * changes one has to change all that follow, and with them the digest of the last, which stands in the record.
 */
function chainedLines(plan: string, file: Growing) {
  const seal: JournalSeal = { lines: 0, head: sha256(plan) }
  return {
    add(content: object): void {
      const line = `{"seq":${seal.lines},"prev":"${seal.head}",${JSON.stringify(content).slice(1)}`
      file.add(`${line}\n`)
      seal.lines++
      seal.head = sha256(line)
    },
    end(): JournalSeal {
      file.end()
      return seal
    },
  }
}
