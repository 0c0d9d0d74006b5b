/** The operations that an API key may use. */
import { refusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import { json, type About, type Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enter } from './enter.ts'
import { isRefusal } from '../refusal.ts'

export function discover(state: TenantState, call: Call): Reply {
  const about: About = { operation: 'discover' }
  const visit = enter(state, call)
  if (isRefusal(visit)) return refusalReply(state, visit, about)
  const { rules } = state
  const listed = rules.catalogue.filter((operation) => rules.isListed(operation, visit.apiKey, state))
  const rows = listed.map((operation) => {
    const { route } = operation
    return {
      operation,
      schema: rules.shownSchema(operation, visit.apiKey, state),
      route: route?.isServed(rules) ? `${route.method} ${route.path}` : null,
    }
  })
  return json(200, rules.discovery(rows), aboutVisit(visit, about))
}
