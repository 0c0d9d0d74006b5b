/** Every story that is told of a server, by id. */
import { chatScenarios } from './chat/index.ts'
import type { AnyScenario } from './engine/scenario.ts'
import { webhookScenarios } from './webhooks/index.ts'

export const serverScenarios: Readonly<Record<string, AnyScenario>> = {
  ...chatScenarios,
  ...webhookScenarios,
}
