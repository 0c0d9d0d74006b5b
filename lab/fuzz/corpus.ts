/** What the fuzzer starts from: a whole run of the suite against the simulator, as it was recorded. */
import { createSimulator } from '../../simulator/index.ts'
import type { RunRecord, Dialect, Policy } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { readJournal, toLine } from '../../bundle/journal/codec.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { roomIds, scenariosOf } from '../../test/rooms.ts'

/** As text and plain data, so that it can be handed to another thread. */
export interface Recorded {
  record: RunRecord
  lines: readonly string[]
  dialect: Dialect
  policy: Policy
  tenant: string
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
    const lines = journal.map(toLine)
    return { record, lines, dialect, policy, tenant: simulator.tenant.id }
  } finally {
    await simulator.close()
  }
}

export function corpusOf(recorded: Recorded): Corpus {
  return { ...recorded, exchanges: readJournal(recorded.lines.join('\n')) }
}
