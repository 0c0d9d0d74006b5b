/** Entries of a journal, from the events of one stream or of several in succession. */
import type { ControlledEntry, ControlledJournalEvent } from '../../../simulator/control-client/index.ts'

export type EntryReader = ReturnType<typeof createEntryReader>

/** `start`: only entries with a greater number; default: only new ones. */
export function createEntryReader(start?: number) {
  const open = new Map<number, ControlledEntry>()
  /** Those that ended while an earlier one was in flight: the next stream repeats them. */
  const ended = new Set<number>()
  let tenant: string | undefined
  let newest = 0

  const forget = (): void => {
    open.clear()
    ended.clear()
    newest = 0
  }
  const end = (entry: ControlledEntry): ControlledEntry | undefined => {
    open.delete(entry.id)
    newest = Math.max(newest, entry.id)
    const isNew = !ended.has(entry.id)
    if (open.size === 0) ended.clear()
    else ended.add(entry.id)
    return isNew ? entry : undefined
  }
  return {
    /** Returns where the next stream starts. A tenant of another id, or with fewer entries, is a new one. */
    resume(tenantId: string, last: number): number {
      if (tenant === undefined) newest = start ?? last
      else if (tenant !== tenantId || last < newest) forget()
      tenant = tenantId
      const since = Math.min(newest, ...[...open.keys()].map((id) => id - 1))
      open.clear()
      return since
    },
    /** Returns the entry that the event completes. */
    read(event: ControlledJournalEvent): ControlledEntry | undefined {
      if (event.type === 'cleared') forget()
      if (event.type === 'cleared' || event.type === 'lost') return undefined
      const { id } = event
      if (event.type === 'request') {
        const { type: _, ...request } = event
        open.set(id, { ...request, status: null, closedBy: null, response: { headers: [], body: '' } })
        return undefined
      }
      const entry = open.get(id)
      if (!entry) return undefined
      const { headers = [], body = '' } = entry.response ?? {}
      if (event.type === 'headers')
        open.set(id, { ...entry, status: event.status, response: { headers: event.headers, body } })
      if (event.type === 'chunk') open.set(id, { ...entry, response: { headers, body: body + event.text } })
      if (event.type !== 'end') return undefined
      const { type: _, ...state } = event
      return end({ ...entry, ...state })
    },
  }
}
