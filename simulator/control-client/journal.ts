/** The journal of a tenant in another process. */
import type { components } from '../../spec/types/control.ts'
import type { EntryFilter } from '../tenant/journal/filter.ts'
import type { WaitOptions } from '../tenant/journal/waits.ts'
import type { Query } from './operations.ts'
import type { Send } from './send.ts'

export type ControlledEntry = components['schemas']['JournalEntry']

/** As in the process of the simulator, but for patterns: they do not go over the wire. */
export interface ControlledFilter extends Omit<EntryFilter, 'path' | 'headers'> {
  /** Its beginning. */
  path?: string
  /** Headers of the request by name, in any casing. */
  headers?: Readonly<Record<string, string>>
}

export interface ControlledJournal {
  /** Oldest first. `limit`: the newest so many. */
  entries(filter?: ControlledFilter, options?: { limit?: number }): Promise<readonly ControlledEntry[]>
  /**
   * Resolves with the entries that match once `count` of them (default 1) have ended. Rejects after `timeoutMs` of
   * real time (default 5,000, at most 60,000), saying what there was instead.
   */
  waitFor(filter: ControlledFilter, options?: WaitOptions): Promise<readonly ControlledEntry[]>
  /**
   * Waits for an entry that matches `before`, and resolves with it when nothing that matches came earlier. Rejects
   * with what came; and when it never comes, because then nothing is known of what would have.
   */
  expectNone(
    filter: ControlledFilter,
    options: { before: ControlledFilter; timeoutMs?: number },
  ): Promise<ControlledEntry>
}

function queryOf({ after, body, headers, ...plain }: ControlledFilter): Query<'readJournal'> {
  return {
    ...plain,
    ...(after === undefined ? {} : { since: after }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(headers === undefined
      ? {}
      : { header: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) }),
  }
}

const lineOf = ({ id, method, path, status }: ControlledEntry): string =>
  `#${id} ${method} ${path} → ${status ?? 'no answer'}`

export function journalOf(send: Send): ControlledJournal {
  const waitFor: ControlledJournal['waitFor'] = async (filter, { count = 1, timeoutMs = 5_000 } = {}) => {
    const query = { ...queryOf(filter), count, timeoutMs }
    const { entries, timedOut, why } = await send('awaitJournal', { query })
    if (timedOut) throw new Error(why ?? `Waited ${timeoutMs} ms for ${count} entries of the journal.`)
    return entries
  }
  return {
    entries: async (filter = {}, { limit } = {}) => {
      const query = { ...queryOf(filter), ...(limit === undefined ? {} : { limit }) }
      return (await send('readJournal', { query })).entries
    },
    waitFor,
    expectNone: async (filter, { before, timeoutMs }) => {
      const [twin] = await waitFor(before, timeoutMs === undefined ? {} : { timeoutMs })
      if (twin === undefined) throw new Error('A wait for one entry gave none.')
      const { entries, dropped } = await send('readJournal', { query: queryOf(filter) })
      const unwanted = entries.filter(({ id }) => id < twin.id).map(lineOf)
      const place = `before ${lineOf(twin)}`
      if (unwanted.length > 0) throw new Error(`Expected none ${place}:\n  ${unwanted.join('\n  ')}`)
      if (dropped > 0)
        throw new Error(`Nothing is known of all that came ${place}: the journal let ${dropped} entries go.`)
      return twin
    },
  }
}
