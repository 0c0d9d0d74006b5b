/**
 * A journal as Server-Sent Events. Nothing is queued for whoever reads it but the numbers of entries that changed: what
 * is to be sent stands in the journal, and what the journal evicted meanwhile is lost, and counted.
 */
import type { components } from '../../../spec/types/control.ts'
import type { Call } from '../../edge/reply.ts'
import type { SimulatorLimits } from '../../limits.ts'
import type { Tenant } from '../../tenant-handle.ts'
import { afterRealTime, breathe } from '../../clock/machine-time.ts'
import { elapsed, type JournalChunk, type JournalEntry } from '../../tenant/journal/entry.ts'
import type { Journal, JournalWatch } from '../../tenant/journal/journal.ts'
import type { ControlResponse } from '../answer.ts'
import { endState, isoTime, requestState, shownHeaders, shownResponse } from './entry-state.ts'
import { headerNumberOf, queryOf, wholeNumberOf } from '../request.ts'
import { proveRoom } from '../room.ts'
import { ShownBody } from './shown-body.ts'

type JournalEvent = components['schemas']['JournalEvent']

/** In a pause so long, of real time, a comment says that the connection is alive. */
const silenceMs = 15_000

const batchCharacters = 64 * 1024

export function followJournal(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const query = queryOf(call, ['since'])
  const since = headerNumberOf(call, 'last-event-id') ?? wholeNumberOf(query, 'since')
  proveRoom(limits, 'journalStreams', tenant.journal.watching)
  return { status: 200, events: journalEvents(tenant, call, since) }
}

async function* journalEvents(
  tenant: Tenant,
  { client }: Call,
  since = tenant.journal.last,
): AsyncGenerator<Uint8Array> {
  const follower = new JournalFollower(tenant, since)
  const leave = tenant.journal.watch(follower)
  client.watch(() => follower.ended())
  try {
    for (;;) {
      const text = follower.take()
      if (text !== '') yield Buffer.from(text)
      else if (follower.isOver || client.gone) return
      else if (!(await follower.changeWithin(silenceMs))) yield Buffer.from(': no news\n\n')
      await breathe()
    }
  } finally {
    leave()
  }
}

/** `id`: where to go on with `Last-Event-ID`. */
const frame = (event: JournalEvent, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`

interface Progress {
  readonly body: ShownBody
  chunks: number
  headers: boolean
}

class JournalFollower implements JournalWatch {
  readonly #journal: Journal
  readonly #changed = new Set<number>()
  /** Entries that were begun and have not ended, in their order. */
  readonly #open = new Map<number, Progress>()
  /** Every entry up to this one was begun, or is none of ours. */
  #begun: number
  #lost: number
  #wasCleared: boolean
  #wake: () => void = () => undefined
  isOver = false

  /** `since`: the entries after this one. */
  constructor({ journal }: Tenant, since: number) {
    this.#journal = journal
    // A number that is yet to come is of the time before a reset.
    this.#wasCleared = since > journal.last
    const from = this.#wasCleared ? 0 : since
    this.#begun = Math.max(from, journal.dropped)
    this.#lost = this.#begun - from
    for (let id = this.#begun + 1; id <= journal.last; id++) this.#changed.add(id)
  }

  changed(id: number): void {
    if (id <= this.#begun && !this.#open.has(id)) return
    this.#changed.add(id)
    this.#wake()
  }

  cleared(): void {
    this.#changed.clear()
    this.#open.clear()
    this.#begun = 0
    this.#lost = 0
    this.#wasCleared = true
    this.#wake()
  }

  ended(): void {
    this.isOver = true
    this.#wake()
  }

  /** Resolves at once where something changed already. False: nothing did in so long. */
  changeWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const forget = afterRealTime(ms, () => resolve(false))
      this.#wake = () => (forget(), resolve(true))
      if (this.#changed.size > 0 || this.isOver) this.#wake()
    })
  }

  /** What is to be sent, or the beginning of it; empty where nothing is. */
  take(): string {
    let text = this.#wasCleared ? frame({ type: 'cleared' }) : ''
    this.#wasCleared = false
    for (const id of this.#changed) {
      for (const event of this.#eventsOf(id)) {
        text += this.#lostEvent() + event
        if (text.length >= batchCharacters) return text
      }
      this.#changed.delete(id)
    }
    return text + this.#lostEvent()
  }

  /** What was lost before the next event; empty where nothing was. */
  #lostEvent(): string {
    const entries = this.#lost
    this.#lost = 0
    return entries === 0 ? '' : frame({ type: 'lost', entries })
  }

  *#eventsOf(id: number): Generator<string> {
    const entry = this.#journal.find(id)
    const known = this.#open.get(id)
    this.#begun = Math.max(this.#begun, id)
    if (!entry) {
      this.#open.delete(id)
      this.#lost++
      return
    }
    const progress = known ?? { body: new ShownBody(), chunks: 0, headers: false }
    this.#open.set(id, progress)
    if (!known) yield frame({ type: 'request', ...requestState(entry) })
    let body = known ? null : ''
    for (const [text, event] of answered(entry, progress)) {
      if (body !== null) body += text
      yield event
    }
    if (entry.closedBy === null) return
    this.#open.delete(id)
    // Not to be begun anew, whether or not somebody takes more than this.
    this.#changed.delete(id)
    yield frame({ type: 'end', id, ...endState(entry, body ?? shownResponse(entry).body) }, this.#whole())
  }

  #whole(): number {
    const [first] = this.#open.keys()
    return first === undefined ? this.#begun : first - 1
  }
}

/** What of the response was not sent yet: events, each with the part of the body that it has. */
function* answered(
  entry: JournalEntry,
  progress: Progress,
): Generator<readonly [text: string, event: string]> {
  const { id, status, responseHeaders, response, closedBy } = entry
  if (status !== 0 && !progress.headers) {
    progress.headers = true
    yield ['', frame({ type: 'headers', id, status, headers: shownHeaders(responseHeaders) })]
  }
  while (progress.chunks < response.length) {
    const chunk = response[progress.chunks++]
    if (chunk) yield* chunkEvent(entry, chunk, progress.body.piece(chunk.bytes))
  }
  const last = response.at(-1)
  if (closedBy !== null && last) yield* chunkEvent(entry, last, progress.body.rest())
}

function* chunkEvent(
  { id, [elapsed]: began = 0 }: JournalEntry,
  chunk: JournalChunk,
  text: string,
): Generator<readonly [text: string, event: string]> {
  const afterMs = Math.round(((chunk[elapsed] ?? began) - began) * 10) / 10
  if (text !== '') yield [text, frame({ type: 'chunk', id, at: isoTime(chunk.at), afterMs, text })]
}
