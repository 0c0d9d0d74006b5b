/** The control plane: everything under `/_sim/v1`, and its documents, described by spec/control.yaml. No verdict depends on it. */
import type { Call } from '../server/call.ts'
import { jsonReply, type Reply } from '../server/reply.ts'
import { safeHeaders } from '../server/safe-headers.ts'
import type { ServerRoute } from '../server/route.ts'
import { limitsWith, type SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import type { ControlResponse, ControlHost, ControlStream, ControlText } from './answer.ts'
import { awaitBarrier, createBarrier, endBarrier, listBarriers } from './barriers.ts'
import { advanceClock, readClock, setClock } from './clock.ts'
import { catalogues } from './describe.ts'
import { readDocument } from './documents/documents.ts'
import { addFailure, clearFailures } from './failures.ts'
import { addNetworkFaults, clearNetworkFaults } from './network-faults.ts'
import { listKeys, listTurns } from './contents/keys.ts'
import { listFailures, listNetworkFaults, listReplyRules } from './contents/pending.ts'
import { listUploads, listWebhooks } from './contents/webhooks.ts'
import { emitEvent, listDeliveries, listSentAttempts, sendAgain } from './deliveries.ts'
import { admitControl, tokenProblem } from './guard.ts'
import { awaitJournal, journalRoute } from './journal/read.ts'
import { followJournal } from './journal/follow.ts'
import { decideApproval, lapseUploadRoute, listApprovals, listTasks, stepTaskRoute } from './operations.ts'
import { ControlRefusal } from './refusal.ts'
import { loadSchemas } from './request.ts'
import { postSituation } from './situations.ts'
import {
  deleteSnapshot,
  downloadSnapshot,
  listSnapshots,
  readSaved,
  restoreDocument,
  restoreSaved,
  saveSnapshot,
} from './snapshots.ts'
import { enterStateRoute, leaveState } from './state-routes.ts'
import {
  createTenantRoute,
  deleteTenant,
  listTenants,
  readCredentials,
  readTenant,
  resetTenant,
  setReplyRules,
  updateAccount,
  updateAgent,
  updateTenant,
} from './tenants.ts'

type OfTenant = (
  tenant: Tenant,
  call: Call,
  limits: SimulatorLimits,
) => ControlResponse | Promise<ControlResponse>

/** Routes below `/_sim/v1/tenants/:tenantId`, by method and path. */
const tenantRoutes: Readonly<Record<string, OfTenant>> = {
  'GET ': readTenant,
  'PATCH ': updateTenant,
  'GET /credentials': readCredentials,
  'POST /reset': resetTenant,
  'GET /snapshot': downloadSnapshot,
  'PUT /snapshot': restoreDocument,
  'GET /snapshots': listSnapshots,
  'GET /snapshots/:name': readSaved,
  'PUT /snapshots/:name': saveSnapshot,
  'DELETE /snapshots/:name': deleteSnapshot,
  'POST /snapshots/:name/restore': restoreSaved,
  'POST /states/:state': enterStateRoute,
  'DELETE /states/:state/:handle': leaveState,
  'GET /clock': readClock,
  'PUT /clock': setClock,
  'POST /clock/advance': advanceClock,
  'PATCH /agents/:agentId': updateAgent,
  'PATCH /accounts/:accountId': updateAccount,
  'GET /reply-rules': listReplyRules,
  'PUT /reply-rules': setReplyRules,
  'POST /situations/:situation': postSituation,
  'GET /network-faults': listNetworkFaults,
  'POST /network-faults': addNetworkFaults,
  'DELETE /network-faults': clearNetworkFaults,
  'GET /failures': listFailures,
  'POST /failures': addFailure,
  'DELETE /failures': clearFailures,
  'GET /keys': listKeys,
  'GET /turns': listTurns,
  'GET /webhooks': listWebhooks,
  'POST /events': emitEvent,
  'GET /deliveries': listDeliveries,
  'GET /deliveries/:deliveryId/attempts': listSentAttempts,
  'POST /deliveries/:deliveryId/again': sendAgain,
  'GET /approvals': listApprovals,
  'POST /approvals/:approvalId': decideApproval,
  'GET /tasks': listTasks,
  'POST /tasks/:taskId': stepTaskRoute,
  'GET /uploads': listUploads,
  'POST /uploads/lapse': lapseUploadRoute,
  'POST /barriers': createBarrier,
  'GET /barriers': listBarriers,
  'GET /barriers/:barrierId/reached': awaitBarrier,
  'POST /barriers/:barrierId/release': endBarrier('release'),
  'POST /barriers/:barrierId/crash': endBarrier('crash'),
  'GET /journal': journalRoute,
  'GET /journal/wait': awaitJournal,
  'GET /journal/events': followJournal,
}

const about = { operation: 'control' } as const

type Work = (call: Call) => ControlResponse | Promise<ControlResponse>

const eventReply = ({ status, events }: ControlStream): Reply => ({
  kind: 'bytes',
  status,
  headers: [['Content-Type', 'text/event-stream'], ...safeHeaders],
  chunks: events,
  about,
})

/** In one piece, so that the bytes count until the client has read them. */
const textReply = ({ status, text }: ControlText): Reply => ({
  kind: 'bytes',
  status,
  headers: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', `${text.length}`],
    ...safeHeaders,
  ],
  chunks: [text],
  about,
})

async function answer(work: () => ControlResponse | Promise<ControlResponse>): Promise<Reply> {
  try {
    // Work that does not wait is done within the turn of its request.
    const loading = loadSchemas()
    if (loading) await loading
    const response = await work()
    if ('events' in response) return eventReply(response)
    if ('text' in response) return textReply(response)
    return jsonReply(response.status, response.body, about, safeHeaders)
  } catch (error) {
    if (error instanceof ControlRefusal)
      return jsonReply(error.status, { error: error.message }, about, [...safeHeaders, ...error.headers])
    throw error
  }
}

/**
 * All control routes of a simulator. `token`: what has to be sent as a bearer token; null lets everybody ask,
 * which is right on a loopback address only.
 */
export function controlRoutes(
  host: ControlHost,
  token: string | null = null,
  limits: SimulatorLimits = limitsWith(),
): readonly ServerRoute[] {
  const problem = token === null ? null : tokenProblem(token)
  if (problem !== null) throw new RangeError(problem)
  const route = (pattern: string, work: Work, base = '/_sim/v1'): ServerRoute => {
    const [method = '', path = ''] = pattern.split(' ')
    const handle = (call: Call) =>
      answer(() => {
        admitControl(call, token)
        return work(call)
      })
    return { method, path: `${base}${path}`, handle }
  }
  const tenantOf = (call: Call): Tenant => {
    const id = call.params['tenantId'] ?? ''
    const found = host.tenants.find((tenant) => tenant.id === id)
    if (!found)
      throw new ControlRefusal(404, `There is no tenant \`${id}\`: create one with POST /_sim/v1/tenants.`)
    return found
  }
  const listed = Object.entries(catalogues).map(([name, list]) =>
    route(`GET /${name}`, () => ({ status: 200, body: list() })),
  )
  const ofTenant = Object.entries(tenantRoutes).map(([pattern, work]) => {
    const [method = '', path = ''] = pattern.split(' ')
    return route(`${method} /tenants/:tenantId${path}`, async (call) => {
      const tenant = tenantOf(call)
      const response = await work(tenant, call, limits)
      // Nobody reports what is set.
      if (method !== 'GET') tenant.state.changes.changed('settings', '')
      return response
    })
  })
  return [
    route('GET /:document', readDocument(host), '/_sim'),
    route('GET /tenants', () => listTenants(host)),
    route('POST /tenants', (call) => createTenantRoute(host, call, { limits, shared: token !== null })),
    route('DELETE /tenants/:tenantId', (call) => deleteTenant(host, tenantOf(call))),
    ...listed,
    ...ofTenant,
  ]
}
