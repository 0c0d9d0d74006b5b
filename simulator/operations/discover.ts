/** The operations that an API key may use. */
import type { Call } from '../http/call.ts'
import { json, type About, type Reply } from '../http/reply.ts'
import type { World } from '../world/world.ts'
import { aboutVisit, enter } from './enter.ts'
import { isRefusal, refusalReply } from './refusal.ts'

export function discover(world: World, call: Call): Reply {
  const about: About = { operation: 'discover' }
  const visit = enter(world, call)
  if (isRefusal(visit)) return refusalReply(world, visit, about)
  const { rules } = world
  const listed = rules.catalogue.filter((operation) => rules.isListed(operation, visit.apiKey, world))
  const rows = listed.map((operation) => {
    const { route } = operation
    return {
      operation,
      schema: rules.shownSchema(operation, visit.apiKey, world),
      route: route?.isServed(rules) ? `${route.method} ${route.path}` : null,
    }
  })
  return json(200, rules.discovery(rows), aboutVisit(visit, about))
}
