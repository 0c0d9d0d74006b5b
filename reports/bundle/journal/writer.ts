/**
 * The journal of a run, written as it happens: what a killed run leaves can be read up to its last whole line. No
 * secret gets as far as a line.
 */
import type {
  JournalSeal,
  Lifecycle,
  Opening,
  Plan,
  PlanFile,
  Run,
  RunRecord,
  ScenarioRun,
} from '../record.ts'
import type { Exchange } from '../exchange.ts'
import { toPlain, type StoreBody } from './codec.ts'
import { plainBasis, type Basis } from '../judging.ts'
import type { RunRedactor } from '../redaction/run-redactor.ts'
import { SecretLeft } from '../redaction/leaks.ts'
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

export function createJournalWriter(place: Place, basis: Basis, redactor: RunRedactor): JournalWriter {
  const write = (file: string, content: string | Uint8Array, isOfTarget = false): void => {
    redactor.mustBeClean(new Map([[file, content]]), isOfTarget)
    place.write(file, content)
  }
  const clean = <T>(value: T): T => redactor.value(value)
  const keep = keepIn((file, body) => write(file, body, true))
  const lines = createLines(place, redactor)
  const exchanges: Exchange[] = []
  const scenarios = new Map<string, ScenarioRun>()
  let over = false

  /** The plan last: where it is, all that is needed to read it is. */
  function begin(opening: Opening, plan: Plan): void {
    const { plan: planned, ...opened } = clean({ ...opening, plan })
    const judging = pretty(clean(plainBasis(basis)))
    const text = planText(opened, planned, judging)
    redactor.publish(text)
    write(basisFile, judging)
    write(planFile, text)
    lines.begin(text)
    lines.add({ is: 'run', opening: opened })
  }

  const takes: { [K in RunEvent['is']]: (event: Extract<RunEvent, { is: K }>) => void } = {
    planned: ({ opening, planned }) => begin(opening, planned.plan),
    exchange({ exchange }) {
      exchanges.push(addTo(lines, exchange, keep, redactor))
    },
    'scenario-run'({ scenarioRun, used }) {
      const left = clean(scenarioRun)
      scenarios.set(scenarioRun.scenario, left)
      lines.add({ is: 'scenario', scenarioRun: left, used })
    },
  }

  return {
    on(event) {
      // What a target still delivers after the run is no part of it.
      if (!over) takes[event.is](event as never)
    },
    end({ record, journal }) {
      if (journal.length > exchanges.length)
        throw new Error(`the run made ${journal.length} exchanges, and reported ${exchanges.length}`)
      over = true
      const { endedAt, lifecycle } = record.run satisfies Lifecycle
      lines.add({ is: 'end', endedAt, lifecycle, exchanges: exchanges.length })
      const scenarioRuns = record.scenarioRuns.map((one) => scenarios.get(one.scenario) ?? clean(one))
      const left: RunRecord = { ...clean({ ...record, scenarioRuns: [] }), scenarioRuns }
      return {
        record: { ...left, journal: lines.end(), redaction: redactor.redaction() },
        journal: exchanges.toSorted((a, b) => a.id - b.id),
      }
    },
  }
}

/** Returns the exchange as it was added. What a target hides too well for redaction is withheld, and the run goes on. */
function addTo(
  lines: Pick<ReturnType<typeof createLines>, 'add'>,
  exchange: Exchange,
  keep: StoreBody,
  redactor: RunRedactor,
): Exchange {
  const add = (left: Exchange): Exchange => {
    lines.add({ is: 'exchange', exchange: toPlain(left, keep) }, true)
    return left
  }
  try {
    return add(redactor.exchange(exchange))
  } catch (error) {
    if (!(error instanceof SecretLeft)) throw error
    return add(redactor.withheld(exchange, error))
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
  const { schemaVersion, tool, target, contract, otherSets, budgets, run: whole } = record
  const { endedAt: _, lifecycle: __, ...run } = whole
  return { schemaVersion, tool, run, target, contract, ...(otherSets && { otherSets }), budgets }
}

/** The lines of the journal's file, chained and looked through before they are written. */
function createLines(place: Pick<Place, 'grow'>, redactor: Pick<RunRedactor, 'mustBeClean'>) {
  let under: { chain: Chain; lines: Growing } | null = null
  const begun = () => {
    if (!under) throw new Error('the run reported something before its plan')
    return under
  }
  return {
    begin(plan: string): void {
      under = { chain: createChain(plan), lines: place.grow(journalFile) }
    },
    /** `isOfTarget`: the target wrote some of it. */
    add(content: object, isOfTarget = false): void {
      const { chain, lines } = begun()
      const text = JSON.stringify(content)
      // Before it is chained: what is not clean is no line.
      redactor.mustBeClean(new Map([[journalFile, text]]), isOfTarget)
      lines.add(`${chain.next(text)}\n`)
    },
    end(): JournalSeal {
      const { chain, lines } = begun()
      lines.end()
      return chain.seal()
    },
  }
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Lines that are chained: each holds the digest of the one before it, and the first that of what was planned. Who
 * changes one has to change all that follow, and with them the digest of the last, which stands in the record.
 */

interface Chain {
  /** The next line, without its end, from the JSON of an object. It has to be written before the one after it is asked for. */
  next(content: string): string
  seal(): JournalSeal
}

/** `plan`: the bytes that the first line is chained to. */
function createChain(plan: string): Chain {
  let lines = 0
  let head = sha256(plan)
  return {
    next(content) {
      const line = `{"seq":${lines},"prev":"${head}",${content.slice(1)}`
      lines++
      head = sha256(line)
      return line
    },
    seal: () => ({ lines, head }),
  }
}
