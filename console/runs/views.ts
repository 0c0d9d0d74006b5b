/** The views of a run, in the order of the navigation. */
import type { ComponentType } from 'preact'
import type { Schemas } from './api.ts'
import { Changes } from './changes.tsx'
import { Checks } from './checks.tsx'
import { Exchanges } from './exchanges.tsx'
import { TargetView } from './live/target-view.tsx'
import { Overview } from './overview/overview.tsx'
import { Proof } from './proof.tsx'
import { VerificationView } from './verification.tsx'

interface RunViewProps {
  readonly list: Schemas['RunList']
}

interface RunView {
  /** The first part of its address. */
  readonly id: string
  readonly title: string
  readonly component: ComponentType<RunViewProps>
  /** It fills the window, and its title is not shown. */
  readonly wide?: true
  /** It has something to show of a run that cannot be read. */
  readonly unread?: true
  /** Only in a page of `check --ui`. */
  readonly session?: true
}

export const runViews: readonly [RunView, ...RunView[]] = [
  { id: 'overview', title: 'Overview', component: Overview },
  { id: 'checks', title: 'Checks', component: Checks, wide: true },
  { id: 'exchanges', title: 'Exchanges', component: Exchanges, wide: true },
  { id: 'changes', title: 'Changes', component: Changes },
  { id: 'proof', title: 'Proof', component: Proof, wide: true },
  { id: 'verify', title: 'Verify', component: VerificationView, unread: true },
  { id: 'target', title: 'Target', component: TargetView, unread: true, session: true },
]
