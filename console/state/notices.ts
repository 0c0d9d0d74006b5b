/** What the page says about an action: that it was done, or why not. */
import { signal } from '@preact/signals'

export interface Notice {
  readonly id: number
  readonly text: string
  readonly failed: boolean
}

const shownMs = 6_000
let last = 0

/** One at a time: more would cover what stands below. */
export const notice = signal<Notice | null>(null)

export function dismiss(id: number): void {
  if (notice.value?.id === id) notice.value = null
}

export function notify(text: string, failed = false): void {
  const id = ++last
  notice.value = { id, text, failed }
  // What failed stays, within the view, until the next action.
  if (!failed) setTimeout(() => dismiss(id), shownMs)
}

export const dismissAll = (): void => void (notice.value = null)

addEventListener('hashchange', dismissAll)

export const unreachable = 'The connection failed: check that the simulator is running.'

/** As `fetch` of each browser names a connection that fails. */
const noConnection = /fetch|network|load failed/i

export function messageOf(error: unknown): string {
  if (error instanceof TypeError && noConnection.test(error.message)) return unreachable
  return error instanceof Error ? error.message : String(error)
}
