/** The operations that an API key may use. */
import { operationRefusalReply } from './reply.ts'
import type { Call } from '../../server/call.ts'
import { jsonReply, type ReplyInfo, type Reply } from '../../server/reply.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { aboutVisit, enterOperations } from './enter.ts'
import { isOperationRefusal } from '../refusal.ts'

export function handleDiscovery(state: TenantState, call: Call): Reply {
  const about: ReplyInfo = { operation: 'discover' }
  const visit = enterOperations(state, call)
  if (isOperationRefusal(visit)) return operationRefusalReply(state, visit, about)
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
  return jsonReply(200, rules.discovery(rows), aboutVisit(visit, about))
}
