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
  notices.value = [...succeeded().slice(1 - most), { id, text, failed }]
  // What failed stays, within the view, until the next action.
  if (!failed) setTimeout(() => dismiss(id), shownMs)
}

const succeeded = (): readonly Notice[] => notices.value.filter(({ failed }) => !failed)

/** What failed before is no longer of interest. */
export const dismissFailed = (): void => void (notices.value = succeeded())

addEventListener('hashchange', () => (notices.value = []))

export const unreachable = 'The connection failed: check that the simulator is running.'

/** As `fetch` of each browser names a connection that fails. */
const noConnection = /fetch|network|load failed/i

export function messageOf(error: unknown): string {
  if (error instanceof TypeError && noConnection.test(error.message)) return unreachable
  return error instanceof Error ? error.message : String(error)
}
