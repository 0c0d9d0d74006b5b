/** Writes the record of a run against a receiver, in the form of every run. */
import { areas, receiverAreas, type ClauseId } from '../../spec/index.ts'
import { defaultVendor } from '../../spec/identifiers.ts'
import { toolOf } from '../runner/plan/opening.ts'
import { writtenRecord, type Ended } from '../runner/outcome/run-record.ts'
import { contractOf } from '../policy/clause-set.ts'
import type { Opening, RunRecord } from '../../reports/bundle/record.ts'
import { receiverScenarios } from './index.ts'
import type { Subject } from './subject.ts'
import { uncoveredOfReceivers } from './uncovered.ts'

export function receiverOpening(
  { url, budgets, vendor, identifiers }: Subject,
  run: Omit<Opening['run'], 'profile' | 'optIn'>,
  version: string,
): Opening {
  const { host, pathname, origin } = new URL(url)
  return {
    schemaVersion: 1,
    tool: toolOf(version, receiverScenarios),
    run: { ...run, profile: 'standard', optIn: [] },
    target: {
      name: `${host}${pathname}`,
      kind: 'receiver',
      baseUrl: origin,
      ...(vendor === undefined || vendor === defaultVendor ? {} : { vendor }),
      ...(identifiers === undefined ? {} : { identifiers }),
    },
    contract: contractOf(),
    budgets,
  }
}

export function receiverRecord(
  { policy }: Subject,
  ended: Omit<Ended, 'policy' | 'scenarios' | 'uncovered'>,
): RunRecord {
  return writtenRecord({ ...ended, policy, scenarios: receiverScenarios, uncovered: uncoveredOfReceiver() })
}

/** Every clause of a receiver that no scenario judges, with the reason. */
export function uncoveredOfReceiver(): RunRecord['uncovered'] {
  const judged = new Set(Object.values(receiverScenarios).flatMap(({ judge }) => Object.keys(judge)))
  const all = receiverAreas.flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  return all
    .filter((clause) => !judged.has(clause))
    .map((clause) => ({ clause, why: uncoveredOfReceivers[clause] ?? 'no scenario covers it' }))
}
