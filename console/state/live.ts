/** What a view shows of the simulator, read again while it is visible. */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { dismissAll, messageOf, notify } from './notices.ts'

/** Counts what a person did here: everything live is read again at once. */
const actions = signal(0)

export interface Live<T> {
  readonly value: T | undefined
  readonly problem: string | null
}

const unread = { value: undefined, problem: null }

/** Reads now, and again every `everyMs`; one read at a time, and none while the page is hidden. Returns what ends it. */
function repeat(read: () => Promise<void>, everyMs: number): () => void {
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = async (): Promise<void> => {
    if (!document.hidden) await read()
    if (!ended) timer = setTimeout(() => void next(), everyMs)
  }
  void next()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

/**
 * Reads something, and again every `everyMs` and after each action. `about`: what it depends on; when that changes, the
 * old value is forgotten.
 */
export function useLive<T>(load: () => Promise<T>, about: string, everyMs = 1_000): Live<T> {
  const [state, setState] = useState<Live<T> & { about: string }>({ about, ...unread })
  useEffect(() => {
    let ended = false
    const set = (change: Partial<Live<T>>): void => {
      if (!ended) setState((old) => ({ ...(old.about === about ? old : unread), ...change, about }))
    }
    const end = repeat(async () => {
      try {
        set({ value: await load(), problem: null })
      } catch (error) {
        set({ problem: messageOf(error) })
      }
    }, everyMs)
    return () => {
      ended = true
      end()
    }
  }, [about, everyMs, actions.value])
  return state.about === about ? state : unread
}

/** Does what a person asked for; says that it is done, or why not. Resolves with whether it was done. */
export async function act(done: string | null, work: () => Promise<unknown>): Promise<boolean> {
  dismissAll()
  try {
    await work()
    if (done !== null) notify(done)
    return true
  } catch (error) {
    notify(messageOf(error), true)
    return false
  } finally {
    actions.value++
  }
}
