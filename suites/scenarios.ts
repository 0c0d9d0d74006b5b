/** Every scenario there is, by id: those that are told of a server, of a receiver and of a client. */
import { chatScenarios } from './chat/index.ts'
import { clientScenariosFor } from './clients/index.ts'
import { uncoveredOfClient } from './clients/record.ts'
import type { AnyScenario } from './scenario/scenario.ts'
import { olderScenarios } from './older/index.ts'
import { operationScenarios } from './operations/index.ts'
import { uncoveredBy } from './runner/outcome/run-record.ts'
import { receiverScenarios } from './receivers/index.ts'
import { uncoveredOfReceiver } from './receivers/record.ts'
import type { RunRecord } from '../reports/bundle/record.ts'
import { webhookScenarios } from './webhooks/index.ts'

export const serverScenarios: Readonly<Record<string, AnyScenario>> = {
  ...chatScenarios,
  ...webhookScenarios,
  ...operationScenarios,
  ...olderScenarios,
}

type Of = Pick<RunRecord, 'target'>

/** Those that a run may have been made of. */
export function scenariosFor({ target }: Of): Readonly<Record<string, AnyScenario>> {
  if (target.kind === 'client') return clientScenariosFor(target.client?.as ?? 'client')
  return target.kind === 'receiver' ? receiverScenarios : serverScenarios
}

/** What no scenario of such a run covers, with the reason. */
export function uncoveredFor({ target }: Of): RunRecord['uncovered'] {
  if (target.kind === 'client') return uncoveredOfClient(target.client?.as ?? 'client')
  return target.kind === 'receiver' ? uncoveredOfReceiver() : uncoveredBy(serverScenarios)
}
