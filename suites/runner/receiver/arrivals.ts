/** An inbound request as an exchange of the scenario, and how long to wait for one. */
import type { Answered, Arrival, InboundPlace } from '../../inbound/place.ts'
import { type Exchange, type FailureKind, type Received, identified } from '../../wire/exchange.ts'
import { stepThrough } from '../states/settings.ts'
import type { ScenarioContext, ScenarioDeps } from '../scenario-context.ts'

export interface About {
  id: number
  scenario: string
  name: string
  place: string
  /** Milliseconds by which the target's clock was ahead of ours when it arrived, and when it ended. */
  ahead: number
  aheadAtEnd: number
  /** Meanwhile this process had no processor. */
  stalled?: boolean
}

/** `answered`: null where it was still open as the scenario ended. */
export function inboundExchange(
  arrival: Arrival,
  answered: Answered | { at: number; end: 'open' },
  { id, scenario, name, place, ahead, aheadAtEnd, stalled }: About,
): Exchange {
  const { method, path, headers, body, cut, at } = arrival
  const failure = failures[answered.end]
  return {
    id,
    scenario,
    name,
    request: { method, path, headers, body: new Uint8Array(body), principal: null },
    sentAt: at,
    endedAt: answered.at,
    response: responseOf(answered),
    failure,
    inbound: {
      place,
      targetAt: at + ahead,
      targetEndedAt: answered.at + aheadAtEnd,
      ...(cut ? { cut: true as const } : {}),
      ...(stalled ? { stalled: true as const } : {}),
    },
  }
}

type Ending = Answered['end'] | 'open'

const failures: Readonly<Record<Ending, { kind: FailureKind; message: string } | null>> = {
  answered: null,
  gone: { kind: 'aborted', message: 'the sender closed the connection before our answer was whole' },
  closed: { kind: 'reset', message: 'our receiver closed the connection, as the scenario wanted' },
  open: { kind: 'reset', message: 'our receiver had not answered when the scenario ended' },
}

function responseOf(answered: Answered | { at: number; end: 'open' }): Received | null {
  if (answered.end === 'open' || answered.status === null) return null
  const { status, headers, body, at, end } = answered
  const chunks = body === '' ? [] : [{ at, bytes: new TextEncoder().encode(body) }]
  return { status, headers, at, chunks, complete: end === 'answered' }
}

type Waiting = Pick<ScenarioDeps, 'clock' | 'time' | 'wait' | 'signal'>

/** Real time that what fell due in a step has to come over the wire, and the last that fell due. */
const graceMs = { step: 4, last: 100 }

export async function hasArrived(
  placeNow: () => InboundPlace | null,
  count: number,
  withinMs: number,
  waiting: Waiting,
): Promise<boolean> {
  const { time, signal } = waiting
  if (!time.advance) return within(placeNow(), count, withinMs, waiting)
  const arrived = (): Promise<boolean> => within(placeNow(), count, graceMs.step, waiting)
  const isOver = async (): Promise<boolean> => signal?.aborted === true || (await arrived())
  if (!time.stands && (await stepThrough(withinMs, waiting, { isOver, soonFirst: true })))
    return signal?.aborted !== true
  return within(placeNow(), count, graceMs.last, waiting)
}

async function within(
  place: InboundPlace | null,
  count: number,
  ms: number,
  { clock, signal }: Waiting,
): Promise<boolean> {
  const [arrived, late] = [new AbortController(), new AbortController()]
  const stop = signal ? AbortSignal.any([arrived.signal, signal]) : arrived.signal
  const slept = clock.sleep(ms, stop)
  if (!place) return slept.then(() => false)
  void slept.then(() => late.abort('late'))
  try {
    return await place.arrived(count, late.signal)
  } finally {
    arrived.abort('arrived')
  }
}

export interface ArrivalRecorder {
  /** The handler for arrivals at a place. `name`: of the exchanges in the scenario. */
  record(name: string, place: string): (arrival: Arrival) => void
  /** Records open requests as they are, and none that arrive later. */
  settle(): Promise<void>
}

const answerGraceMs = 250

export function createArrivalRecorder(
  context: ScenarioContext,
  { requestDefaults: { scenario }, clock, time, wire, target, inbound }: ScenarioDeps,
): ArrivalRecorder {
  const open = new Map<number, { done: Promise<unknown>; take: () => void }>()
  let over = false
  const ahead = (): number => time.now() - clock.now()

  function begin(arrival: Arrival, name: string, place: string): void {
    const about = { id: wire.nextId(), scenario, name, place, ahead: ahead() }
    const take = (answered: Answered | null): void => {
      if (!open.delete(about.id)) return
      const end = answered ?? { at: clock.now(), end: 'open' }
      const stalled = inbound?.stalls.since(arrival.at) ?? false
      const made = inboundExchange(arrival, end, { ...about, aheadAtEnd: ahead(), stalled })
      const exchange = identified(made, target.identifiers)
      context.exchanges.push(exchange)
      wire.receive(exchange)
    }
    open.set(about.id, { done: arrival.done, take: () => take(null) })
    void arrival.done.then(take)
  }

  return {
    record: (name, place) => (arrival) => {
      if (!over) begin(arrival, name, place)
    },
    async settle() {
      const answers = Array.from(open.values(), ({ done }) => done)
      if (answers.length > 0) await Promise.race([Promise.all(answers), clock.sleep(answerGraceMs)])
      over = true
      for (const { take } of open.values()) take()
    },
  }
}
