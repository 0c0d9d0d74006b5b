/** The views of the console, in the order of the navigation. A new one is a row here. */
import { ClockView } from './clock/clock-view.tsx'
import { ConversationsView } from './conversations/conversations-view.tsx'
import { NetworkFaultsView } from './network-faults/network-faults-view.tsx'
import { OperationsView } from './operations/operations-view.tsx'
import { RequestsView } from './requests/requests-view.tsx'
import { Start } from './start/start.tsx'
import { SwitchesView } from './switches/switches-view.tsx'
import { TenantsView } from './tenants/tenants-view.tsx'
import { TurnsView } from './turns/turns-view.tsx'
import { WebhooksView } from './webhooks/webhooks-view.tsx'

/** `id`: the first part of its address. */
export const views = [
  { id: 'start', title: 'Start here', component: Start },
  { id: 'requests', title: 'Requests', component: RequestsView },
  { id: 'conversations', title: 'Conversations', component: ConversationsView },
  { id: 'turns', title: 'Turns in flight', component: TurnsView },
  { id: 'network-faults', title: 'Network faults', component: NetworkFaultsView },
  { id: 'webhooks', title: 'Webhooks', component: WebhooksView },
  { id: 'operations', title: 'Operations', component: OperationsView },
  { id: 'clock', title: 'Clock', component: ClockView },
  { id: 'switches', title: 'Faults and variants', component: SwitchesView },
  { id: 'tenants', title: 'Tenants and snapshots', component: TenantsView },
] as const
