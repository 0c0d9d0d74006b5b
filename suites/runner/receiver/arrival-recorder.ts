/** Records inbound requests as exchanges of the scenario: each once, when it or the scenario ends. */
import type { Answered, Arrival } from '../../inbound/inbox.ts'
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { Clock } from '../../wire/clock.ts'
import { identified } from '../../wire/exchange.ts'
import type { Wire } from '../../wire/recorder.ts'
import type { InboundReceiver } from './inbound-receiver.ts'
import { inboundExchange } from './arrivals.ts'
import type { SharedTime } from '../states/shared-time.ts'
import type { ScenarioContext } from '../scenario-context.ts'

export interface ArrivalRecorder {
  /** The handler for arrivals at a place. `name`: of the exchanges in the scenario. */
  record(name: string, place: string): (arrival: Arrival) => void
  /** Records open requests as they are, and none that arrive later. */
  settle(): Promise<void>
}

interface Deps {
  scenario: string
  clock: Clock
  time: SharedTime
  wire: Pick<Wire, 'nextId' | 'receive'>
  target: { identifiers?: Identifiers }
  inbound: Pick<InboundReceiver, 'stalls'> | null
}

/** Real milliseconds that a response in flight has to be sent. */
const answerGraceMs = 250

export function createArrivalRecorder(
  context: ScenarioContext,
  { scenario, clock, time, wire, target, inbound }: Deps,
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
