/** Waiting for entries of a journal, in real time: a client in a test is not bound to the clock of the tenant. */
import type { JournalEntry } from './entry.ts'
import { matchesEntry, misfits, wordsOf, type EntryMatch } from './filter.ts'
import { entriesText, entryLine } from './text.ts'
import { afterRealTime } from '../clock/machine-time.ts'

export interface JournalWaitOptions {
  /** Default 1. */
  count?: number
  /** Of real time; default 5,000. */
  timeoutMs?: number
  /** Ends the wait before its time: its client went away. */
  signal?: AbortSignal
}

type Entries = (match?: EntryMatch) => readonly JournalEntry[]
type WaitFor = (match: EntryMatch, options?: JournalWaitOptions) => Promise<readonly JournalEntry[]>

interface Wait {
  found: JournalEntry[]
  saw(entry: JournalEntry): void
  giveUp(why: string): void
}

export function createWaits(entries: Entries) {
  const waits = new Set<Wait>()

  const waitFor: WaitFor = (match, { count = 1, timeoutMs = 5_000, signal } = {}) =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        forget()
        waits.delete(wait)
      }
      const settle = (): void => {
        if (wait.found.length < count) return
        leave()
        resolve(wait.found.sort((one, other) => one.id - other.id))
      }
      const wait: Wait = {
        found: entries((entry) => entry.closedBy !== null && matchesEntry(entry, match)).slice(),
        saw: (entry) => {
          if (!matchesEntry(entry, match)) return
          wait.found.push(entry)
          settle()
        },
        giveUp: (why) => {
          if (!waits.has(wait)) return
          leave()
          const asked = count === 1 ? 'an entry' : `${count} entries`
          const came = wait.found.length === 0 ? 'none came' : `${wait.found.length} came`
          const head = `Waited for ${asked} ${wordsOf(match)} ${why}, and ${came}.`
          reject(new Error(`${head} ${nearest(entries(), match)}`))
        },
      }
      const forget = afterRealTime(timeoutMs, () => wait.giveUp(`for ${timeoutMs} ms`))
      waits.add(wait)
      signal?.addEventListener('abort', () => {
        leave()
        reject(new Error('The wait was ended.'))
      })
      settle()
    })

  return {
    waitFor,
    ended: (entry: JournalEntry): void => {
      for (const wait of waits) wait.saw(entry)
    },
    /** What came before a reset is not waited for any more. */
    clear: (): void => {
      for (const wait of waits) wait.found = []
    },
    close: (): void => {
      for (const wait of waits) wait.giveUp('until its tenant was closed')
    },
  }
}

const shown = 5

/** Those that most of a filter holds for, each with what does not. */
function nearest(entries: readonly JournalEntry[], match: EntryMatch): string {
  if (entries.length === 0)
    return 'Nothing has come at all: does the client have the address, and a key of this tenant?'
  const lines = entries
    .map((entry) => ({ entry, wrong: misfits(entry, match) }))
    .sort((a, b) => a.wrong.length - b.wrong.length || b.entry.id - a.entry.id)
    .slice(0, shown)
    .map(({ entry, wrong }) => `\n  ${entryLine(entry)}${apart(entry, wrong)}`)
  return `The nearest of ${entries.length}:${lines.join('')}`
}

function apart({ closedBy }: JournalEntry, wrong: readonly string[]): string {
  if (wrong.length > 0) return ` (another ${wrong.join(', ')})`
  return closedBy === null ? ' (has not ended)' : ''
}

export async function expectNone(
  { waitFor, entries, ring }: { waitFor: WaitFor; entries: Entries; ring: { readonly dropped: number } },
  match: EntryMatch,
  { before, timeoutMs }: { before: EntryMatch; timeoutMs?: number },
): Promise<JournalEntry> {
  const [twin] = await waitFor(before, timeoutMs === undefined ? {} : { timeoutMs })
  if (twin === undefined) throw new Error('a wait for one entry gave none')
  const unwanted = entries(match).filter(({ id }) => id < twin.id)
  const place = `before ${entryLine(twin)}`
  if (unwanted.length > 0)
    throw new Error(`Expected no entry ${wordsOf(match)} ${place}:\n${entriesText(unwanted)}`)
  if (ring.dropped > 0)
    throw new Error(
      `Nothing is known of all that came ${place}: the journal let ${ring.dropped} entries go; give a greater journalCapacity.`,
    )
  return twin
}
