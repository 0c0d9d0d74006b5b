/** Sends turns without pause, and each that came to nothing once more with its key, as a careful client does. */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { isObject, type Json, type JsonObject } from '../../simulator/json.ts'
import type { Random } from '../../simulator/tenant/random.ts'
import { messageOf, type Record, type Seen, type Turn } from './record.ts'
import type { Ids } from './tenant.ts'

export interface ClientOptions {
  readonly urls: readonly string[]
  readonly ids: Ids
  readonly record: Record
  readonly random: Random
}

const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 1_000 })

const parsed = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The last event of a stream that came to its end. */
function doneIn(text: string): JsonObject {
  const events = text.split('\n\n').map((event) => parsed(event.replace(/^data: ?/, '')))
  return events.find((event) => event['type'] === 'done') ?? {}
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Statuses that say nothing of the turn: the service, or what stands before it, is not up to it now. */
const comeAgain: ReadonlySet<number> = new Set([502, 503, 504])

function seenIn(status: number, text: string, { stream }: Turn): Seen {
  if (comeAgain.has(status)) return { is: 'nothing' }
  const body = stream && status === 200 ? doneIn(text) : parsed(text)
  if (status === 200) {
    const { conversation_id: conversation, credits_used: used } = body
    if (typeof conversation !== 'string' || typeof used !== 'number') return { is: 'nothing' }
    return { is: 'reply', conversation, used, text: textIn(body['response']) }
  }
  if (body['error'] === 'REQUEST_IN_PROGRESS') return { is: 'nothing' }
  return body['error'] === 'OUTCOME_UNCERTAIN'
    ? { is: 'uncertain' }
    : { is: 'other', words: `${status} ${text}` }
}

/** Sends a turn once. */
export async function send({ urls, ids, record, random }: ClientOptions, turn: Turn): Promise<void> {
  turn.sent++
  const url = urls[random.below(urls.length)] ?? ''
  const body = { message: messageOf(turn), idempotency_key: turn.key, ...(turn.stream && { stream: true }) }
  try {
    const answer = await request(`${url}/api/v1/chat/${ids.agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ids.keys.main}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      dispatcher,
    })
    record.note(turn, seenIn(answer.statusCode, await answer.body.text(), turn))
  } catch {
    // The connection was refused or broke: nothing is known.
  }
}

/** Until the signal: mostly fresh turns, now and then one whose answer never came, or one that is long over. */
export async function keepSending(options: ClientOptions, signal: AbortSignal): Promise<void> {
  const { record, random } = options
  while (!signal.aborted) {
    const old = record.turns[random.below(Math.max(1, record.turns.length))]
    const turn = old && random.below(5) === 0 ? old : record.fresh()
    await send(options, turn)
    if (turn.state === 'open') await pause(5)
  }
}

/** Sends every turn until it is known what came of it; what is known already is proven once more. */
export async function settle(options: ClientOptions, tries = 200): Promise<readonly Turn[]> {
  for (const turn of options.record.turns) {
    await send(options, turn)
    for (let left = tries; turn.state === 'open' && left > 0; left--) {
      await pause(50)
      await send(options, turn)
    }
  }
  return options.record.turns.filter(({ state }) => state === 'open')
}
