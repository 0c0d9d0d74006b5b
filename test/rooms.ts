/** The parts of the service, each with the areas of its clauses and the stories that judge them. */
import { apartAreas, areaOf, chatAreas, operationAreas, webhookAreas, type ClauseId } from '../spec/index.ts'
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

/** The parts in which these clauses are judged. */
export function roomsOf(clauses: readonly ClauseId[]): readonly RoomId[] {
  return roomIds.filter((room) => clauses.some((id) => rooms[room].areas.some((area) => area === areaOf[id])))
}

/** Every story of these parts. */
export function storiesOf(wanted: readonly RoomId[]): Scenarios {
  return Object.assign({}, ...wanted.map((room) => rooms[room].scenarios)) as Scenarios
}
