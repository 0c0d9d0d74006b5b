/** The views of the console, in the order of the navigation. A new one is a row here. */
import type { ComponentType } from 'preact'
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

export interface View {
  /** The first part of its address. */
  readonly id: string
  readonly title: string
  readonly component: ComponentType
}

export const views: readonly [View, ...View[]] = [
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
]
