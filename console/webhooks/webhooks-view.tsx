/** Webhooks of the tenant, their deliveries, and buttons that make both. */
import { useLive } from '../state/live.ts'
import { tenantId } from '../state/tenant.ts'
import { Loaded } from '../ui/panel.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { readWebhooks } from './read.ts'

export function WebhooksView() {
  const live = useLive(readWebhooks, tenantId.value, 500)
  return (
    <Loaded live={live}>
      {({ webhooks, deliveries, now }) => (
        <>
          <Endpoints webhooks={webhooks} />
          <Deliveries deliveries={deliveries} webhooks={webhooks} now={now} />
        </>
      )}
    </Loaded>
  )
}
