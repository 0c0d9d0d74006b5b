/** What the fuzzer starts from: a whole run of the suite against the simulator, as it was recorded. */
import { createSimulator } from '../../simulator/index.ts'
import type { RunRecord, Dialect, Policy } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { readJournal, toLine } from '../../bundle/journal/codec.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { serverCounterexamples } from '../../cli/check/check.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { roomIds, scenariosOf } from '../../test/rooms.ts'

/** As text and plain data, so that it can be handed to another thread. */
export interface Recorded {
  record: RunRecord
  lines: readonly string[]
  dialect: Dialect
  policy: Policy
  tenant: string
  /** Scenario files of some checks, as they are written where these fail. */
  counterexamples: readonly string[]
}

export interface Corpus extends Recorded {
  exchanges: readonly Exchange[]
}

/** What the recording and every simulator under test share, so that recorded keys and ids are good for each. */
export const tenantStateOptions = { seed: 'fuzz', legacy: true } as const

export async function recordCorpus(): Promise<Recorded> {
  const simulator = await createSimulator(tenantStateOptions)
  try {
    const target = simulatorTarget(simulator)
    const run = await runSuite(target, { seed: 1, scenarios: scenariosOf(roomIds) })
    const { record, journal } = run
    const { dialect, policy } = target
    // The same run, had one check in forty failed.
    const findings = run.record.findings
      .filter(({ verdict, evidence }) => verdict === 'pass' && evidence.length > 0)
      .filter((_, at) => at % 40 === 0)
      .map((finding) => ({ ...finding, verdict: 'fail' as const, expected: 'this', got: 'that' }))
    const files = [
      ...serverCounterexamples({ record: { ...run.record, findings }, journal: run.journal }, target),
    ].filter(([name]) => name.endsWith('.json'))
    const counterexamples = files.map(([, content]) => content)
    const lines = journal.map(toLine)
    return { record, lines, dialect, policy, tenant: simulator.tenant.id, counterexamples }
  } finally {
    await simulator.close()
  }
}

export function corpusOf(recorded: Recorded): Corpus {
  return { ...recorded, exchanges: readJournal(recorded.lines.join('\n')) }
}
