/** The views of the console, in the order of the navigation. A new one is a row here. */
import type { ComponentType } from 'preact'
import { ClockView } from './clock/clock-view.tsx'
import { RequestsView } from './requests/requests-view.tsx'
import { Start } from './start/start.tsx'

export interface View {
  /** The first part of its address. */
  readonly id: string
  readonly title: string
  readonly component: ComponentType
}

export const views: readonly [View, ...View[]] = [
  { id: 'start', title: 'Start here', component: Start },
  { id: 'requests', title: 'Requests', component: RequestsView },
  { id: 'clock', title: 'Clock', component: ClockView },
]
