/** One place at the receiver: its requests, answered and pending. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../wire/clock.ts'
import type { Arrival, InboundAnswer, InboundPlace } from './inbox.ts'
import { createPending, type Pending } from './pending.ts'
import { createWaiters } from './waiters.ts'

const plain: InboundAnswer = { status: 200 }

/** A request whose body is complete. */
type Request = Pick<Arrival, 'method' | 'path' | 'headers' | 'body' | 'cut' | 'at'>

export interface OpenInboundPlace {
  readonly place: InboundPlace
  take(request: Request, response: ServerResponse): void
  /** A sender left in the middle of a request. */
  broke(): void
}

interface PlaceOptions {
  path: string
  clock: Clock
  placeLimit: number
  forgets: boolean
  onArrival: (arrival: Arrival) => void
  /** Called once for each request that is kept no longer, or was not kept. */
  forgotten: (request: Pick<Arrival, 'body'>) => void
  /** Called once, as the place closes. */
  closed: () => void
}

export function createPlace(options: PlaceOptions): OpenInboundPlace {
  const { path, clock, placeLimit, onArrival, forgotten } = options
  const arrivals: Arrival[] = []
  const pending = new Map<number, Pending>()
  const script = createScript()
  let [kept, refused, broken, open] = [0, 0, 0, true]
  const waiters = createWaiters(
    () => kept + refused,
    () => open,
  )

  function keep(request: Request, response: ServerResponse): void {
    const number = (kept += 1)
    const one = createPending(response, clock)
    pending.set(number, one)
    void one.done.then(() => pending.delete(number))
    const arrival = { ...request, number, done: one.done }
    arrivals.push(arrival)
    if (arrivals.length > placeLimit) arrivals.splice(0, 1).forEach(forgotten)
    one.give(script.next())
    onArrival(arrival)
  }

  function take(request: Request, response: ServerResponse): void {
    if (options.forgets || kept < placeLimit) keep(request, response)
    else {
      refused += 1
      forgotten(request)
      response.writeHead(429).end()
    }
    waiters.look()
  }

  const place: InboundPlace = {
    path,
    arrivals,
    get refused() {
      return refused
    },
    get broken() {
      return broken
    },
    script: (...answers) => script.set(answers),
    release(answer = plain, number) {
      for (const [of, one] of pending) if (number === undefined || of === number) one.release(answer)
    },
    arrived: (count, signal) => waiters.arrived(count, signal),
    close() {
      if (!open) return
      open = false
      options.closed()
      arrivals.forEach(forgotten)
      for (const one of pending.values()) one.drop()
      waiters.look()
    },
  }
  return { place, take, broke: () => void (broken += 1) }
}

/** The answers to successive requests; the last one is repeated. */
function createScript() {
  let answers: readonly InboundAnswer[] = []
  return {
    set: (wanted: readonly InboundAnswer[]) => void (answers = wanted),
    next(): InboundAnswer {
      const [next = plain, ...rest] = answers
      if (rest.length > 0) answers = rest
      return next
    },
  }
}
