/** What a page of `check --ui` can do beside reading runs. */
import type { LiveFeed } from './feed.ts'
import type { RunQueue } from './reruns.ts'

export interface RunSession {
  feed: LiveFeed
  queue: RunQueue
}
