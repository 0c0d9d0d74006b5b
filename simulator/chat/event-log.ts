/** The events of one turn as they happen. A turn writes whether or not anybody reads. */
import type { EventSource, Follower, StreamEvent } from '../edge/reply.ts'
import type { CreditRules } from '../rules/chat.ts'
import type { ChatReply as ChatReplyBody } from '../../spec/types/openapi.ts'
import type { JsonObject } from '../json.ts'
import type { TurnReply } from '../tenant/keys.ts'

/** What there is to read: all who follow share it, so that one who is behind costs no more than its place. */
interface TurnEvents {
  readonly events: readonly StreamEvent[]
  readonly ended: boolean
  readonly reason?: Error | undefined
}

class Reading {
  readonly #turn: TurnEvents
  readonly #follower: Follower
  #next = 0
  /** `full`: accepts no more for now. `over`: the end was delivered. */
  #state: 'open' | 'full' | 'over' = 'open'

  constructor(turn: TurnEvents, follower: Follower) {
    this.#turn = turn
    this.#follower = follower
    this.goOn()
  }

  /** Gives what it has not had, as long as it takes more. */
  goOn(): void {
    const { events } = this.#turn
    while (this.#state === 'open') {
      const event = events[this.#next]
      if (!event) return this.#end()
      this.#next++
      if (!this.#follower.event(event)) this.#state = 'full'
    }
  }

  resume(): void {
    if (this.#state !== 'full') return
    this.#state = 'open'
    this.goOn()
  }

  #end(): void {
    if (!this.#turn.ended) return
    this.#state = 'over'
    this.#follower.end(this.#turn.reason)
  }
}

const resuming = (reading: Reading) => (): void => reading.resume()

export class EventLog implements EventSource, TurnEvents {
  readonly events: StreamEvent[] = []
  /** Mostly there is one. */
  #readings: Reading[] | null = null
  ended = false
  reason: Error | undefined

  push(event: StreamEvent): void {
    this.events.push(event)
    this.#goOn()
  }

  /** Nothing comes after. With a reason, readers fail with it. */
  end(reason?: Error): void {
    this.ended = true
    if (reason) this.reason = reason
    this.#goOn()
    this.#readings = null
  }

  follow(follower: Follower): () => void {
    const reading = new Reading(this, follower)
    if (!this.ended) this.#readings = [...(this.#readings ?? []), reading]
    return resuming(reading)
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent> {
    return iterated((follower) => this.follow(follower))
  }

  #goOn(): void {
    if (this.#readings) for (const reading of this.#readings) reading.goOn()
  }
}

export function finishedLog(events: readonly StreamEvent[]): EventSource {
  const follow: EventSource['follow'] = (follower) => resuming(new Reading({ events, ended: true }, follower))
  return { follow, [Symbol.asyncIterator]: () => iterated(follow) }
}

/** The same events one promise at a time. */
async function* iterated(follow: EventSource['follow']): AsyncGenerator<StreamEvent> {
  let next: StreamEvent | undefined
  const end: { came: boolean; reason?: Error } = { came: false }
  let wake = (): void => undefined
  const resume = follow({
    event: (event) => {
      next = event
      wake()
      return false
    },
    end: (reason) => {
      end.came = true
      if (reason) end.reason = reason
      wake()
    },
  })
  for (;;) {
    if (next) {
      yield next
      next = undefined
      resume()
    } else if (end.reason) throw end.reason
    else if (end.came) return
    else await new Promise<void>((resolve) => void (wake = resolve))
  }
}

export function finalFields(reply: TurnReply, rules: CreditRules): JsonObject {
  return {
    response: reply.response,
    conversation_id: reply.conversation,
    credits_used: rules.showCredits(reply.used),
    credits_remaining: rules.showCredits(reply.remaining),
    ...(reply.presentation && { presentation: reply.presentation }),
    ...(reply.customerMessage && { customer_message: reply.customerMessage }),
  } satisfies Omit<ChatReplyBody, 'presentation' | 'customer_message'>
}

export function doneEvent(reply: TurnReply, rules: CreditRules): StreamEvent {
  return { type: 'done', ...finalFields(reply, rules) }
}
