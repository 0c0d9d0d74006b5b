/** The journals of all workers, for a reporter: a file for each, in a folder that the environment names. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { TenantOptions } from '../tenant-handle.ts'
import { asReceived, type JournalEntry } from '../tenant/journal/entry.ts'

/** Set by the reporter, before the workers start. */
export const folderVariable = 'TOUCHSTONE_JOURNALS'

/** Of a tenant, up to a reset or to its end. */
export interface EndedJournal {
  entries: readonly JournalEntry[]
  /** Number of entries that it has evicted. */
  dropped: number
  identifiers: Identifiers
}

type JournalOptions = Pick<TenantOptions, 'onJournalEnd'>

/** Options of a simulator that writes them, with the credentials that distinguish clients; none without a folder. */
export function journalWriter(own: JournalOptions['onJournalEnd']): JournalOptions {
  const folder = process.env[folderVariable]
  if (folder === undefined) return {}
  return {
    onJournalEnd(journal, identifiers) {
      own?.(journal, identifiers)
      const entries = journal
        .entries()
        .map((one) => ({ ...asReceived(one), response: one.response.map(plainChunk) }))
      const ended: EndedJournal = { entries, dropped: journal.dropped, identifiers }
      if (entries.length > 0) writeFileSync(join(folder, randomUUID()), serialize(ended))
    },
  }
}

/** The bytes of a text are made by a getter, which would be lost. */
const plainChunk = ({ at, bytes }: JournalEntry['response'][number]) => ({ at, bytes })

export const journalsIn = (folder: string): readonly EndedJournal[] =>
  readdirSync(folder).map((name) => deserialize(readFileSync(join(folder, name))) as EndedJournal)
