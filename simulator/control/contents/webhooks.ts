/** Routes for what a tenant has of webhooks and uploads. */
import type { JsonObject } from '../../json.ts'
import type { PreparedUpload } from '../../tenant/operations/account-data.ts'
import type { Tenant } from '../../tenant-handle.ts'
import { hasEnded } from '../../tenant/webhooks/delivery.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'
import { ok, type TenantRoutes } from '../answer.ts'
import { isoTime } from '../journal/entry-state.ts'

/** The secret as the service lists it, and of custom headers only the names. */
function webhookState({ state }: Tenant, webhook: Webhook): JsonObject {
  const { id, agent, name, endpointUrl, events, description, customHeaders, isActive, secret } = webhook
  const { failures, pause } = state.outbox.health(id) ?? { failures: { inARow: 0 }, pause: null }
  const isPaused = pause !== null && pause.url === endpointUrl && pause.until > state.clock.now()
  return {
    id,
    agentId: agent,
    name,
    endpointUrl,
    events: [...events],
    description,
    customHeaders: customHeaders.map(([header]) => header),
    isActive,
    secretPreview: state.rules.secretPreview(secret),
    createdAt: isoTime(webhook.createdAt),
    failuresInARow: failures.inARow,
    pausedUntil: isPaused ? isoTime(pause.until) : null,
    pending: state.outbox.deliveriesOf(id).filter((delivery) => !hasEnded(delivery.state)).length,
  }
}

function uploadState(account: string, { id, renewal, ...upload }: PreparedUpload): JsonObject {
  const waits = renewal !== null && { renewalApprovalId: renewal }
  return { id, account, ...upload, preparedAt: isoTime(upload.preparedAt), ...waits }
}

export const contentRoutes: TenantRoutes = {
  'GET /webhooks': (tenant) =>
    ok({ webhooks: [...tenant.state.webhooks.values()].map((webhook) => webhookState(tenant, webhook)) }),
  'GET /uploads': ({ state: { operations } }) =>
    ok({
      uploads: [...operations.data].flatMap(([account, { uploads }]) =>
        uploads.values().map((upload) => uploadState(account, upload)),
      ),
    }),
}
