/** The journal of a tenant in another process. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { components, operations } from '../../spec/types/control.ts'
import type { EntryFilter, JournalWaitOptions } from '../tenant/journal/filter.ts'
import { dataOf, ofTenant, type ControlApi } from './api.ts'

export type ControlledEntry = components['schemas']['JournalEntry']
export type ControlledJournalEvent = components['schemas']['JournalEvent']

/** The filter of a tenant in this process, without patterns. */
export interface ControlledFilter extends Omit<EntryFilter, 'path' | 'headers'> {
  /** Its beginning. */
  path?: string
  /** Headers of the request by name, in any casing. */
  headers?: Readonly<Record<string, string>>
}

export type ControlledJournal = ReturnType<typeof journalOf>
type Query = NonNullable<operations['readJournal']['parameters']['query']>

function queryOf({ after, body, headers, ...plain }: ControlledFilter): Query {
  const header = headers && Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { ...plain, since: after, body: body && JSON.stringify(body), header }
}

const lineOf = ({ id, method, path, status }: ControlledEntry): string =>
  `#${id} ${method} ${path} → ${status ?? 'no answer'}`

export function journalOf(api: ControlApi, tenantId: string) {
  const at = ofTenant(api, tenantId)
  const read = (query: Query) => at.get('/journal', { query })
  /**
   * Resolves with the entries that match once `count` of them have ended. Rejects after `timeoutMs` of real time (at
   * most 60,000) with the entries that there were.
   */
  const waitFor = async (
    filter: ControlledFilter,
    { count = 1, timeoutMs = 5_000 }: JournalWaitOptions = {},
  ): Promise<readonly ControlledEntry[]> => {
    const query = { ...queryOf(filter), count, timeoutMs }
    const { entries, timedOut, why } = await at.get('/journal/wait', { query })
    if (timedOut) throw new Error(why ?? `Waited ${timeoutMs} ms for ${count} entries of the journal.`)
    return entries
  }
  /**
   * Events of all entries after `since` (default: the newest) as they happen, until the tenant ends or the caller stops.
   * Of an entry that is in flight, the `chunk`s arrive one by one.
   */
  async function* follow({
    since,
    signal,
  }: { since?: number; signal?: AbortSignal } = {}): AsyncGenerator<ControlledJournalEvent> {
    const body = await dataOf(
      api.GET('/_sim/v1/tenants/{tenantId}/journal/events', {
        params: { path: { tenantId }, query: { since } },
        parseAs: 'stream',
        ...(signal && { signal }),
      }),
    )
    if (!body) return
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for await (const { data } of events) yield JSON.parse(data) as ControlledJournalEvent
  }
  return {
    follow,
    /** Oldest first. `limit`: only the newest. */
    entries: async (filter: ControlledFilter = {}, { limit }: { limit?: number } = {}) =>
      (await read({ ...queryOf(filter), limit })).entries,
    waitFor,
    /**
     * Waits for an entry that matches `before`, and resolves with it if no entry before it matches `filter`. Rejects
     * with those that do, and when no entry matches `before`.
     */
    expectNone: async (
      filter: ControlledFilter,
      { before, timeoutMs }: { before: ControlledFilter; timeoutMs?: number },
    ): Promise<ControlledEntry> => {
      const [last] = await waitFor(before, { timeoutMs })
      if (last === undefined) throw new Error('the journal returned no entry.')
      const { entries, dropped } = await read(queryOf(filter))
      const unwanted = entries.filter(({ id }) => id < last.id).map(lineOf)
      const place = `before ${lineOf(last)}`
      if (unwanted.length > 0) throw new Error(`Expected none ${place}:\n  ${unwanted.join('\n  ')}`)
      if (dropped > 0)
        throw new Error(
          `Cannot check the entries ${place}: the journal has evicted ${dropped}; give a greater journalCapacity.`,
        )
      return last
    },
  }
}
