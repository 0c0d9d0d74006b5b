/** The parts of the service, each with the areas of its clauses and the scenarios that judge them. */
import { apartAreas, areaOf, chatAreas, operationAreas, webhookAreas } from '../spec/index.ts'
import type { Area, ClauseId } from '../spec/index.ts'
import { chatScenarios, serverScenarios, type AnyScenario, type Scenarios } from '../suites/index.ts'
import { serverRules } from '../suites/scenarios.ts'
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

/** Every scenario of these parts, the last look at what they left, and the rules that they feed. */
export function scenariosOf(wanted: readonly RoomId[]): Scenarios {
  const areas: readonly string[] = wanted.flatMap((room) => rooms[room].areas)
  const rules = Object.entries(serverRules).filter(([, { judge }]) =>
    Object.keys(judge).every((clause) => areas.includes(areaOf[clause as ClauseId])),
  )
  const own = wanted.map((room) => rooms[room].scenarios)
  const last = Object.entries(serverScenarios).filter(([, one]) => one.last)
  return Object.assign({}, ...own, Object.fromEntries([...last, ...rules])) as Scenarios
}

/** These scenarios, and where a rule is among them short ones of its areas, which feed it. */
export function fed(isWanted: (id: string) => boolean): Scenarios {
  const all = Object.entries(serverScenarios)
  const areasIn = ({ judge }: AnyScenario): readonly Area[] =>
    Object.keys(judge).map((clause) => areaOf[clause as ClauseId])
  const areas = new Set(all.flatMap(([id, one]) => (one.rule && isWanted(id) ? areasIn(one) : [])))
  const feeds = (one: AnyScenario): boolean =>
    !one.rule && one.cost.requests <= 30 && areasIn(one).some((area) => areas.has(area))
  return Object.fromEntries(all.filter(([id, one]) => isWanted(id) || feeds(one)))
}
