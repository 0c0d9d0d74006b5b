/** Every scenario by id: for servers, receivers and clients. */
import { trafficScenarios } from './traffic/rules.ts'
import {
  areas,
  clientAreas,
  commandLineAreas,
  receiverAreas,
  serverAreas,
  type Area,
  type ClauseId,
} from '../spec/index.ts'
import { chatScenarios } from './chat/index.ts'
import { clientScenarios, clientScenariosFor } from './clients/index.ts'
import { byId, type AnyScenario } from './scenario/scenario.ts'
import { olderScenarios } from './older/index.ts'
import { operationScenarios } from './operations/index.ts'
import { receiverScenarios } from './receivers/index.ts'
import { uncovered } from './uncovered.ts'
import { charges } from './rules/charges.ts'
import { chatRefusals, conversations, keys, replies, streams } from './rules/chat.ts'
import { lastly, look } from './rules/last.ts'
import { billingReads, schemas, receipts, tasks } from './rules/operations.ts'
import { repeats, turnRefusals, turns } from './rules/turns.ts'
import { deliveries, webhooks } from './rules/webhooks.ts'
import type { RunRecord } from '../bundle/record.ts'
import { webhookScenarios } from './webhooks/index.ts'

/** Clauses of receivers that no scenario judges, each with the reason. A test holds this table complete. */
export const uncoveredOfReceivers: Readonly<Partial<Record<ClauseId, string>>> = {
  'RECV-CONSTANT-TIME':
    'Times over a network do not show it: read the comparison in the source, with the list in docs/receiver.md.',
  'RECV-PROCESS-LATER': 'Only the receiver knows when its work is done; a slow answer shows as RECV-QUICK.',
}

/** Clauses of clients that no scenario judges, each with the reason. A test holds this table complete. */
const uncoveredOfClients: Readonly<Partial<Record<ClauseId, string>>> = {
  'LIB-THIN': 'What a client does within itself does not show: read its source for an agent runtime.',
  'LIB-KEY-SERVER-SIDE': 'Where a key is kept shows in what is shipped and published, not in requests.',
}

/** What is judged over all that the other scenarios sent. */
export const serverRules = byId({
  rules: {
    streams,
    replies,
    refusals: chatRefusals,
    keys,
    conversations,
    turns,
    turnRefusals,
    repeats,
    charges,
    webhooks,
    deliveries,
    receipts,
    tasks,
    schemas,
    billing: billingReads,
    lastly,
  },
})

export const serverScenarios: Readonly<Record<string, AnyScenario>> = {
  ...chatScenarios,
  ...webhookScenarios,
  ...operationScenarios,
  ...olderScenarios,
  ...byId({ last: { look } }),
  ...serverRules,
}

/** A run, or the opening of one. */
interface Of {
  target: Pick<RunRecord['target'], 'kind' | 'client'>
}

export function scenariosFor({ target }: Of): Readonly<Record<string, AnyScenario>> {
  if (target.kind === 'client') return clientScenariosFor(target.client?.as ?? 'client')
  if (target.kind === 'traffic') return trafficScenarios
  return target.kind === 'receiver' ? receiverScenarios : serverScenarios
}

/** The clauses that no scenario judges, with the reason; for a server, of the areas that `scenarios` are about. */
export function uncoveredFor(
  { target }: Of,
  scenarios: Readonly<Record<string, AnyScenario>> = scenariosFor({ target }),
): RunRecord['uncovered'] {
  const judged = clausesIn(scenarios)
  const { kind, client } = target
  if (kind === 'traffic') return []
  const without = (areas: readonly Area[], why: (clause: ClauseId) => string | undefined) =>
    clausesOf(areas)
      .filter((clause) => !judged.has(clause))
      .map((clause) => ({ clause, why: why(clause) ?? 'no scenario covers it' }))
  if (kind === 'receiver') return without(receiverAreas, (clause) => uncoveredOfReceivers[clause])
  if (kind !== 'client')
    return without(
      serverAreas.filter((area) => clausesOf([area]).some((clause) => judged.has(clause))),
      (clause) => uncovered[clause],
    )
  const elsewhere = clausesIn(clientScenarios)
  return without(client?.as === 'command-line' ? commandLineAreas : clientAreas, (clause) =>
    elsewhere.has(clause)
      ? 'It binds the TypeScript library alone, which is judged with --as library.'
      : uncoveredOfClients[clause],
  )
}

const clausesOf = (some: readonly Area[]): readonly ClauseId[] =>
  some.flatMap((area) => Object.keys(areas[area]) as ClauseId[])

function clausesIn(scenarios: Readonly<Record<string, AnyScenario>>): ReadonlySet<string> {
  return new Set(Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge)))
}
