/** Idempotency keys and what is remembered of each. */
import type { ChatRefusal } from '../edge/refusal.ts'
import type { StreamEvent } from '../edge/reply.ts'
import { jsonLength, type Book, type BookPlace } from './book.ts'
import { hash } from 'node:crypto'
import type { JsonObject } from '../json.ts'
import type { Credits } from './conversations.ts'
import type { Agent, ApiKey } from './principals.ts'

/**
 * `running` → `completed` | `uncertain` | `refused`, or forgotten again when the turn never ran. `refused` is
 * only reached where a refused turn uses up its key.
 */
export type KeyState =
  | { readonly is: 'running' }
  | { readonly is: 'completed'; readonly reply: TurnReply; readonly events: readonly StreamEvent[] }
  | { readonly is: 'uncertain' }
  | { readonly is: 'refused'; readonly refusal: ChatRefusal }

export interface KeyRecord {
  readonly id: string
  readonly fingerprint: string
  readonly agent: string
  readonly account: string
  /** Milliseconds since 1970 at which the key was claimed. */
  readonly claimedAt: number
  readonly streamed: boolean
  /** Requests with this key that came while its turn ran. */
  duplicates: number
  /** Requests with this key that were answered from the record. */
  replays: number
  state: KeyState
}

export const isRunning = ({ state }: KeyRecord): boolean => state.is === 'running'

/** Of an event in memory, beside its text. */
const eventBytes = 100

/** Bytes of a record whose number a client or a reply rule chooses, about. */
export function keySize({ id, state }: KeyRecord): number {
  if (state.is !== 'completed') return id.length
  const { response, presentation, customerMessage } = state.reply
  const parts = [presentation, customerMessage].filter((part) => part !== null)
  const events = state.events.length === 0 ? 0 : eventBytes * state.events.length + jsonLength(state.events)
  return id.length + response.length + parts.reduce((sum, part) => sum + jsonLength(part), 0) + events
}

/** What a key book stands on: a `Book` where it is remembered, a `Map` where nothing is to be. */
type Records = Pick<Book<KeyRecord>, 'size' | 'get' | 'delete' | 'clear'> &
  Partial<Pick<Book<KeyRecord>, 'placeOf' | 'restore' | 'touch'>> & {
    set(id: string, record: KeyRecord): unknown
    values(): IteratorObject<KeyRecord>
  }

export type KeyBook = ReturnType<typeof createKeyBook>

/** Every method is one step that nothing can come between. */
export function createKeyBook(records: Records = new Map<string, KeyRecord>()) {
  return {
    get size(): number {
      return records.size
    },
    find: (id: string): KeyRecord | undefined => records.get(id),
    /** Writes a running record over whatever stood there. */
    claim: (record: KeyRecord): void => void records.set(record.id, record),
    /** Only the record that holds the claim is changed: a turn that lost its claim changes nothing. */
    settle: (record: KeyRecord, state: KeyState): void => {
      if (records.get(record.id) !== record) return
      record.state = state
      // Anew, not touched: a record grows by its reply.
      records.set(record.id, record)
    },
    count: (record: KeyRecord, what: 'duplicates' | 'replays'): void => {
      record[what]++
      records.touch?.(record.id)
    },
    /** The key is as if it had never been used. */
    release: (record: KeyRecord): void => {
      if (records.get(record.id) === record) records.delete(record.id)
    },
    clear: (): void => records.clear(),
    /** Where a record stands in the order of age; undefined where nothing is remembered. */
    placeOf: (id: string): BookPlace | undefined => records.placeOf?.(id),
    restore: (record: KeyRecord, place: BookPlace): void => records.restore?.(record.id, record, place),
    values: (): Iterable<KeyRecord> => records.values(),
    get running(): readonly KeyRecord[] {
      return [...records.values()].filter(isRunning)
    },
  }
}

/** Long texts as their digest. */
export function brief(text: string): string {
  return text.length <= 128 ? inOnePiece(text) : hash('sha256', text, 'base64url')
}

/**
 * The same text. V8 keeps a text that was put together as its parts, which take twice the memory, until somebody reads a
 * character; the result has to depend on it, or nothing is read.
 */
export const inOnePiece = (text: string): string => (Number.isNaN(text.charCodeAt(0)) ? '' : text)

export interface ChatBody {
  readonly message: string
  readonly conversationId: string | null
  readonly stream: boolean
  /** As it came; null when none was sent. */
  readonly interaction: JsonObject | null
  readonly text: string
}

/** A request that passed every rule that needs no state: who asks whom for what under which key. */
export interface TurnRequest {
  readonly apiKey: ApiKey
  readonly agent: Agent
  readonly request: ChatBody
  readonly key: string
}

/** The reply of a completed turn, before it is encoded for a client. */
export interface TurnReply {
  readonly response: string
  readonly conversation: string
  readonly used: Credits
  readonly remaining: Credits
  readonly presentation: JsonObject | null
  readonly customerMessage: JsonObject | null
}
