/** What a page of `check --ui` can do beside reading runs. */
import type { LiveFeed } from './feed.ts'
import type { PolicyFile } from './policy-file.ts'
import type { RunQueue } from './reruns.ts'
import type { TargetFileEditor } from './target-file.ts'

export interface RunSession {
  feed: LiveFeed
  queue: RunQueue
  /** Null where the page was started without one. */
  target: TargetFileEditor | null
  policy: PolicyFile | null
}
