/**
 * The journal of a run, written as it happens: what a killed run leaves can be read up to its last whole line. No
 * secret gets as far as a line.
 */
import type {
  JournalSeal,
  Lifecycle,
  Opening,
  Plan,
  Run,
  RunRecord,
  ScenarioRun,
} from '../../reports/bundle/record.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { toPlain } from '../../reports/bundle/journal/codec.ts'
import { plainBasis, type Basis } from './basis.ts'
import { createChain, type Chain } from './chain.ts'
import type { Cleaning } from './cleaning.ts'
import { keepIn } from './evidence.ts'
import type { Folder, Growing } from './folder.ts'
import { basisFile, journalFile, planFile } from './names.ts'
import type { RunEvent } from '../../suites/runner/outcome/run-event.ts'

export interface JournalWriter {
  /** Throws what the folder throws; nothing may be added after that. */
  on(event: RunEvent): void
  /** Ends the journal, and gives the run as it was written, sealed. */
  end(run: Run): Run
}

type Place = Pick<Folder, 'write' | 'grow'>

export function createJournal(place: Place, basis: Basis, cleaning: Cleaning): JournalWriter {
  const write = (file: string, content: string | Uint8Array): void => {
    cleaning.mustBeClean(new Map([[file, content]]))
    place.write(file, content)
  }
  const clean = <T>(value: T): T => cleaning.value(value)
  const keep = keepIn(write)
  const lines = createLines(place, cleaning)
  const exchanges: Exchange[] = []
  const scenarios = new Map<string, ScenarioRun>()
  let over = false

  /** The plan last: where it is, all that is needed to read it is. */
  function begin(opening: Opening, plan: Plan): void {
    const { plan: planned, ...opened } = clean({ ...opening, plan })
    const text = pretty({ ...opened, plan: planned })
    write(basisFile, pretty(clean(plainBasis(basis))))
    write(planFile, text)
    lines.begin(text)
    lines.add({ is: 'run', opening: opened })
  }

  const takes: { [K in RunEvent['is']]: (event: Extract<RunEvent, { is: K }>) => void } = {
    planned: ({ opening, planned }) => begin(opening, planned.plan),
    exchange({ exchange }) {
      const left = cleaning.exchange(exchange)
      exchanges.push(left)
      lines.add({ is: 'exchange', exchange: toPlain(left, keep) })
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
        throw new Error(`the run made ${journal.length} exchanges, and told of ${exchanges.length}`)
      over = true
      const { endedAt, lifecycle } = record.run satisfies Lifecycle
      lines.add({ is: 'end', endedAt, lifecycle, exchanges: exchanges.length })
      const told = record.scenarioRuns.map((scenario) => scenarios.get(scenario.scenario) ?? clean(scenario))
      const left: RunRecord = { ...clean({ ...record, scenarios: [] }), scenarioRuns: told }
      return {
        record: { ...left, journal: lines.end(), redaction: cleaning.redaction() },
        journal: exchanges.toSorted((a, b) => a.id - b.id),
      }
    },
  }
}

/** The lines of the journal's file, chained and looked through before they are written. */
function createLines(place: Pick<Place, 'grow'>, cleaning: Pick<Cleaning, 'mustBeClean'>) {
  let under: { chain: Chain; lines: Growing } | null = null
  const begun = () => {
    if (!under) throw new Error('the run told of something before it was planned')
    return under
  }
  return {
    begin(plan: string): void {
      under = { chain: createChain(plan), lines: place.grow(journalFile) }
    },
    add(content: object): void {
      const { chain, lines } = begun()
      const line = chain.next(content)
      cleaning.mustBeClean(new Map([[journalFile, line]]))
      lines.add(`${line}\n`)
    },
    end(): JournalSeal {
      const { chain, lines } = begun()
      lines.end()
      return chain.seal()
    },
  }
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
