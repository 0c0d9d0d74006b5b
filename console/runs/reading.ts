/** What a view shows of a run: read once, since a recorded run does not change. */
import { useEffect, useState } from 'preact/hooks'
import type { Live } from '../state/live.ts'
import { messageOf } from '../state/notices.ts'

const unread = { value: undefined, problem: null }

/** `about`: what it depends on; when that changes, it is read again, and the old value is forgotten. */
export function useReading<T>(load: () => Promise<T>, about: string): Live<T> {
  const state = useNewest(load, about)
  return state.about === about ? state : unread
}

/** The same, but that the old value stays until the new one is there. */
export function useNewest<T>(load: () => Promise<T>, about: string): Live<T> & { about: string } {
  const [state, setState] = useState<Live<T> & { about: string }>({ about, ...unread })
  useEffect(() => {
    let ended = false
    const set = (change: Partial<Live<T>>): void => {
      if (!ended) setState({ about, ...unread, ...change })
    }
    load().then(
      (value) => set({ value }),
      (error: unknown) => set({ problem: messageOf(error) }),
    )
    return () => {
      ended = true
    }
  }, [about])
  return state
}

/** Entries that one request asks for: enough for most runs, and soon there. */
const atOnce = 2_000

export interface PagedList<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** A list of any length: its first part is shown while the others are read. */
export function usePagedList<T>(
  load: (part: { offset: number; limit: number }) => Promise<{ items: T[]; total: number }>,
  about: string,
): Live<PagedList<T>> {
  const [state, setState] = useState<Live<PagedList<T>> & { about: string }>({ about, ...unread })
  useEffect(() => {
    let ended = false
    const readOn = async (before: readonly T[]): Promise<void> => {
      const { items: part, total } = await load({ offset: before.length, limit: atOnce })
      if (ended) return
      const items = [...before, ...part]
      setState({ about, value: { items, total }, problem: null })
      if (part.length > 0 && items.length < total) await readOn(items)
    }
    readOn([]).catch((error: unknown) => {
      if (!ended) setState({ about, ...unread, problem: messageOf(error) })
    })
    return () => {
      ended = true
    }
  }, [about])
  // While a filter is typed, the list of before stays instead of flickering.
  return state
}
