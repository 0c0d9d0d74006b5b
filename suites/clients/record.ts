/** Writes the record of a run against a client, in the form of every run. */
import { areas, clientAreas, commandLineAreas, type ClauseId } from '../../spec/index.ts'
import { defaultVendor } from '../../spec/identifiers.ts'
import { toolOf } from '../runner/plan/opening.ts'
import { writtenRecord, type Ended } from '../runner/outcome/run-record.ts'
import { contractOf } from '../policy/clause-set.ts'
import type { Opening, RunRecord } from '../../reports/bundle/record.ts'
import { clientScenarios, clientScenariosFor } from './index.ts'
import type { ClientKind } from '../../reports/bundle/client-report.ts'
import type { ClientSubject } from './subject.ts'
import { uncoveredOfClients } from './uncovered.ts'

/** Every act has an address of its own, and a port for a moment; what they have in common is this machine. */
const thisMachine = 'http://127.0.0.1'

export function clientOpening(
  { name, as, can, budgets, vendor, identifiers }: ClientSubject,
  run: Omit<Opening['run'], 'profile' | 'optIn'>,
  version: string,
): Opening {
  return {
    schemaVersion: 1,
    tool: toolOf(version, clientScenariosFor(as)),
    run: { ...run, profile: 'standard', optIn: [] },
    target: {
      name,
      kind: 'client',
      baseUrl: thisMachine,
      ...(vendor === undefined || vendor === defaultVendor ? {} : { vendor }),
      ...(identifiers === undefined ? {} : { identifiers }),
      client: { as, can },
    },
    contract: contractOf(),
    budgets,
  }
}

export function clientRecord(
  { as, policy }: ClientSubject,
  ended: Omit<Ended, 'policy' | 'scenarios' | 'uncovered'>,
): RunRecord {
  const scenarios = clientScenariosFor(as)
  return writtenRecord({ ...ended, policy, scenarios, uncovered: uncoveredOfClient(as) })
}

/** Every clause of such a client that no scenario of its own judges, with the reason. */
export function uncoveredOfClient(as: ClientKind): RunRecord['uncovered'] {
  const judged = clausesIn(clientScenariosFor(as))
  const elsewhere = clausesIn(clientScenarios)
  const own = as === 'command-line' ? commandLineAreas : clientAreas
  return own
    .flatMap((area) => Object.keys(areas[area]) as ClauseId[])
    .filter((clause) => !judged.has(clause))
    .map((clause) => ({
      clause,
      why: elsewhere.has(clause)
        ? 'It binds the TypeScript library alone, which is judged with --as library.'
        : (uncoveredOfClients[clause] ?? 'no scenario covers it'),
    }))
}

function clausesIn(scenarios: ReturnType<typeof clientScenariosFor>): ReadonlySet<string> {
  return new Set(Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge)))
}
