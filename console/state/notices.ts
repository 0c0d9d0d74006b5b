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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
