/** The parts of the service, each with the areas of its clauses and the scenarios that judge them. */
import { apartAreas, chatAreas, operationAreas, webhookAreas } from '../spec/index.ts'
import { chatScenarios, type Scenarios } from '../suites/index.ts'
import { olderScenarios } from '../suites/older/index.ts'
import { operationScenarios } from '../suites/operations/index.ts'
import { webhookScenarios } from '../suites/webhooks/index.ts'

interface Room {
  areas: readonly string[]
  scenarios: Scenarios
}

export const rooms = {
  chat: { areas: chatAreas, scenarios: chatScenarios },
  webhooks: { areas: webhookAreas, scenarios: webhookScenarios },
  operations: { areas: operationAreas, scenarios: operationScenarios },
  older: { areas: apartAreas, scenarios: olderScenarios },
} as const satisfies Record<string, Room>
export type RoomId = keyof typeof rooms
export const roomIds = Object.keys(rooms) as RoomId[]

/** Every scenario of these parts. */
export function scenariosOf(wanted: readonly RoomId[]): Scenarios {
  return Object.assign({}, ...wanted.map((room) => rooms[room].scenarios)) as Scenarios
}
