/** The journal of the tenant that is shown, as it grows. */
import { signal } from '@preact/signals'
import { api, type Schemas, admitted, authorization, bodyOf } from './api.ts'
import { setQuery } from './place.ts'
import { credentials, pathOf } from './tenant.ts'
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream'
import { messageOf, notify } from './notices.ts'

type JournalEvent = Schemas['JournalEvent']
type Header = readonly string[]

/** As the simulator has it; what is null is still to come. */
export interface Exchange extends Omit<
  Schemas['JournalEntry'],
  'request' | 'response' | 'chunks' | 'endedAt' | 'closedBy'
> {
  readonly request: { readonly headers: readonly Header[]; readonly body: string }
  readonly responseHeaders: readonly Header[]
  readonly chunks: readonly { readonly at: string; readonly afterMs: number; readonly text: string }[]
  readonly closedBy: 'server' | 'client' | 'drop' | null
  readonly endedAt: string | null
}

/** Sent by a page of this simulator, such as this one, and not by a client. */
export const isOwn = ({ request }: Exchange): boolean =>
  request.headers.some(([name, value]) => name?.toLowerCase() === 'sec-fetch-site' && value === 'same-origin')

export const exchanges = signal<readonly Exchange[]>([])
/** Older ones that are not shown: the simulator no longer has them, or there are too many for a page. */
export const unseen = signal(0)
/** `live`: changes come as they happen. Otherwise why not; it is tried again by itself. */
export const connection = signal<'live' | 'connecting' | { readonly problem: string }>('connecting')

const limits = { exchanges: 10_000, characters: 50_000_000 }

const known = new Map<number, { exchange: Exchange; characters: number }>()
let characters = 0
let planned = false

/** The signal gets a copy a few times in a second, however many events come. */
function publish(): void {
  if (planned) return
  planned = true
  setTimeout(() => {
    planned = false
    exchanges.value = [...known.values()].map(({ exchange }) => exchange)
  }, 50)
}

function put(exchange: Exchange, more: number): void {
  const old = known.get(exchange.id)?.characters ?? 0
  known.set(exchange.id, { exchange, characters: old + more })
  characters += more
  while (known.size > 1 && (known.size > limits.exchanges || characters > limits.characters)) evictOldest()
  publish()
}

function evictOldest(): void {
  const [oldest] = known
  if (!oldest) return
  characters -= oldest[1].characters
  known.delete(oldest[0])
  unseen.value++
}

function forget(): void {
  known.clear()
  characters = 0
  unseen.value = 0
  publish()
}

function change(id: number, how: (old: Exchange) => Partial<Exchange>, more = 0): void {
  const old = known.get(id)?.exchange
  if (old) put({ ...old, ...how(old) }, more)
}

type Handlers = { readonly [K in JournalEvent['type']]: (event: Extract<JournalEvent, { type: K }>) => void }

const unanswered = { status: null, responseHeaders: [], closedBy: null, endedAt: null }

const handlers: Handlers = {
  request: (facts) => {
    forgetOne(facts.id)
    put({ ...facts, ...unanswered, chunks: [] }, facts.request.body.length + 500)
  },
  headers: ({ id, status, headers }) => change(id, () => ({ status, responseHeaders: headers })),
  chunk: ({ id, at, afterMs, text }) =>
    change(id, ({ chunks }) => ({ chunks: [...chunks, { at, afterMs, text }] }), text.length + 50),
  end: ({ id, endedAt, ...facts }) => change(id, () => ({ ...facts, endedAt: endedAt ?? null })),
  lost: ({ entries }) => void (unseen.value += entries),
  cleared: () => (setQuery({ after: '' }), forget()),
}

/** An event with the number of a known entry begins it anew. */
function forgetOne(id: number): void {
  characters -= known.get(id)?.characters ?? 0
  known.delete(id)
}

const apply = <K extends JournalEvent['type']>(event: Extract<JournalEvent, { type: K }>): void =>
  (handlers as Record<string, (event: JournalEvent) => void>)[event.type]?.(event)

/** A simulator that does not have the newest request of this page is another one, or was reset. */
async function isRestarted(tenantId: string): Promise<boolean> {
  const newest = [...known.values()].at(-1)?.exchange
  if (!newest) return false
  const query = { since: newest.id - 1 }
  const { entries, dropped } = await bodyOf(
    api.GET('/_sim/v1/tenants/{tenantId}/journal', { params: { path: { tenantId }, query } }),
  )
  return dropped < newest.id && !entries.some(({ id, at }) => id === newest.id && at === newest.at)
}

async function follow(tenantId: string, signal: AbortSignal): Promise<void> {
  if (await isRestarted(tenantId)) {
    setQuery({ after: '' })
    credentials.value = undefined
    notify('The simulator was started again: earlier requests are gone.', true)
  }
  const events = await openEvents(`${pathOf(tenantId)}/journal/events?since=0`, signal)
  // From the beginning, because the simulator may be another one since the last connection.
  forget()
  connection.value = 'live'
  for await (const { data } of events) apply(JSON.parse(data) as JournalEvent)
}

const retryMs = 1_000

/** Follows the journal of a tenant, and again after each break of the connection, until the result is called. */
export function followJournal(tenantId: string): () => void {
  const ended = new AbortController()
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        await follow(tenantId, ended.signal)
      } catch (error) {
        if (!ended.signal.aborted) connection.value = { problem: messageOf(error) }
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  forget()
  connection.value = 'connecting'
  void run()
  return () => ended.abort()
}

/** Rejects with Refused where the response is not a success, and with a TypeError where there is none. */
async function openEvents(url: string, signal: AbortSignal): Promise<ReadableStream<EventSourceMessage>> {
  const { body } = await admitted(await fetch(url, { headers: authorization(), signal }))
  if (!body) throw new Error('The response has no body.')
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
}
