/** Every story there is, by id: those that are told of a server, and those of a receiver. */
import { chatScenarios } from './chat/index.ts'
import type { AnyScenario } from './engine/scenario.ts'
import { olderScenarios } from './older/index.ts'
import { operationScenarios } from './operations/index.ts'
import { receiverScenarios } from './receivers/index.ts'
import type { RunRecord } from './record.ts'
import { webhookScenarios } from './webhooks/index.ts'

export const serverScenarios: Readonly<Record<string, AnyScenario>> = {
  ...chatScenarios,
  ...webhookScenarios,
  ...operationScenarios,
  ...olderScenarios,
}

/** Those that a run may have been made of. */
export function scenariosFor({ target }: Pick<RunRecord, 'target'>): Readonly<Record<string, AnyScenario>> {
  return target.kind === 'receiver' ? receiverScenarios : serverScenarios
}
