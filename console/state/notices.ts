/** What the page says about an action: that it was done, or why not. */
import { signal } from '@preact/signals'

export interface Notice {
  readonly id: number
  readonly text: string
  readonly failed: boolean
}

const most = 4
const shownMs = 6_000
let last = 0

export const notices = signal<readonly Notice[]>([])

export function dismiss(id: number): void {
  notices.value = notices.value.filter((one) => one.id !== id)
}

export function notify(text: string, failed = false): void {
  const id = ++last
  notices.value = [...notices.value.slice(1 - most), { id, text, failed }]
  // What failed stays, within the view, until it is dismissed.
  if (!failed) setTimeout(() => dismiss(id), shownMs)
}

addEventListener('hashchange', () => (notices.value = []))

/** As `fetch` of each browser names a connection that fails. */
const noConnection = /fetch|network|load failed/i

export function messageOf(error: unknown): string {
  if (error instanceof TypeError && noConnection.test(error.message))
    return 'The connection failed: check that the simulator is running.'
  return error instanceof Error ? error.message : String(error)
}
