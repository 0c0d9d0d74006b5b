/** Posts deliveries to a receiver, and keeps what came back under the names of a scenario. */
import { createHash } from 'node:crypto'
import {
  environmentFails,
  notExercised,
  stopped,
  ScenarioEnded,
  type Ending,
  type ScenarioExecution,
} from '../scenario/ending.ts'
import type { ValueSource } from '../scenario/source.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Outgoing, Wire } from '../wire/recorder.ts'
import { limits } from '../../spec/index.ts'
import { attemptOf, controlOf } from '../scenario/exchange-names.ts'
import { isDropped, noEffect, numberIn, unanswered } from './answers.ts'
import { deliveryOf, underId, type Delivery, type Wish } from './delivery.ts'
import { endNotes, type Sendable, type Presence } from './presence.ts'
import { signatureOf, pathOf, type Subject } from './subject.ts'
import type { Courier, ReceiverScenario } from './receiver-scenario.ts'

export interface Round {
  subject: Subject
  wire: Wire
  clock: Clock
  source: ValueSource
  presence: Presence
  signal?: AbortSignal | undefined
}

/** The ordinary payload: what the contract shows of `leads.submit`. */
const person = { customerEmail: 'ada@example.com', customerName: 'Ada' }
const firstPauseMs = 10
const longestPauseMs = 500

/** A genuine delivery; `source` makes what is fresh in it. */
export function genuineOf({ subject, clock, source }: Round, wish: Wish = {}): Delivery {
  const {
    id = `whd_${source.uuid()}`,
    event = subject.events[0] ?? 'leads.submit',
    write = JSON.stringify,
  } = wish
  const envelope = {
    eventType: event,
    chatbotId: subject.agent,
    timestamp: clock.wall(),
    payload: { conversationId: source.uuid(), ...person, ...wish.payload },
    ...wish.beside,
  }
  return deliveryOf(id, envelope, (it) => write(it), subject)
}

function posting(scenario: string, name: string, delivery: Delivery, subject: Subject): Outgoing {
  const { headers, body, splitAt } = delivery
  const plain = { method: 'POST', path: pathOf(subject.url), headers, body, principal: null }
  return { scenario, name, ...plain, ...(splitAt === undefined ? {} : { splitAt }) }
}

/** A genuine delivery that belongs to no scenario, made anew each time: one that waits for a start gets old. */
export function preflightOf(round: Round, name: string): Sendable {
  const about = { scenario: 'preflight', name, isForged: false }
  return { ...about, post: (nth) => dispatchOf(about, genuineOf(round), round).post(nth) }
}

function dispatchOf(
  about: Pick<Sendable, 'scenario' | 'name' | 'isForged'>,
  delivery: Delivery,
  { subject, wire }: Round,
  send = (outgoing: Outgoing) => wire.send(outgoing, { turns: 0 }),
): Sendable {
  return {
    ...about,
    post: (nth) =>
      nth === undefined
        ? send(posting(about.scenario, about.name, delivery, subject))
        : send(posting('preflight', about.name, underId(delivery, idAgain(delivery.id, nth)), subject)),
  }
}

/** No duplicate of what was sent under the id, while copies of one delivery still have one id. */
const idAgain = (id: string, nth: number): string =>
  id.replace(/(?<=_|^)[^_]*$/, createHash('sha256').update(`${id} ${nth}`).digest('hex').slice(0, 32))

export async function runReceiverScenario(
  id: string,
  scenario: ReceiverScenario,
  round: Round,
): Promise<ScenarioExecution> {
  const exchanges: Exchange[] = []
  const { presence } = round
  let ending: Ending | null = null
  let crash: string | null = null
  try {
    // What ended it is said although it is gone.
    if (!(scenario.isLast && presence.fatal.length > 0)) await mustBeThere(round)
    await scenario.deliver(courierOf(id, round, exchanges))
  } catch (thrown) {
    if (thrown instanceof ScenarioEnded) ending = thrown.ending
    else crash = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
  exchanges.sort((a, b) => a.id - b.id)
  const notes = endNotes(presence.fatal, id, scenario.isLast)
  return { scenario: id, exchanges, notes, ending, crash, states: [], stuck: [] }
}

/** Throws an ending where it does not answer again. */
async function mustBeThere(round: Round): Promise<void> {
  const { presence, subject } = round
  if (await presence.isThere(() => preflightOf(round, 'present'))) return
  const advice = subject.ends ? '' : ', with its command after `--` to see what ends it'
  throw notExercised('target-unavailable', `${presence.lossWords()}; restart it, and run again${advice}`)
}

function courierOf(id: string, round: Round, exchanges: Exchange[]): Courier {
  const { subject, wire, clock, presence, signal } = round

  function keep(sent: readonly Exchange[]): void {
    exchanges.push(...sent.filter(({ failure }) => failure?.kind !== 'budget'))
    const withheld = sent.find(({ failure }) => failure?.kind === 'budget')
    if (withheld) throw notExercised('budget-exhausted', withheld.failure?.message ?? 'a cap was reached')
  }
  async function send(outgoing: Outgoing): Promise<Exchange> {
    const exchange = await wire.send(outgoing, { turns: 0 })
    if (outgoing.scenario === id) keep([exchange])
    return exchange
  }
  async function deliver(name: string, delivery: Delivery, isForged = false): Promise<Exchange> {
    const exchange = await presence.post(dispatchOf({ scenario: id, name, isForged }, delivery, round, send))
    await mustBeThere(round)
    if (isForged && unanswered(exchange)) throw stopped(`forged delivery \`${name}\` got no response in time`)
    return exchange
  }
  const genuine = (wish?: Wish): Delivery => genuineOf(round, wish)
  const ask = (name: string, of: string) => send(asking(id, name, of, subject))

  return {
    events: subject.events,
    genuine,
    sign: (body, secret = subject.secret) =>
      signatureOf(typeof body === 'string' ? new TextEncoder().encode(body) : body, secret),
    deliver: insisting(deliver, genuine, presence),
    deliverForged: async (name, delivery) => void (await deliver(name, delivery, true)),
    async together(name, deliveries) {
      const outgoing = deliveries.map((delivery) => posting(id, name, delivery, subject))
      const about = { scenario: id, name, isForged: false }
      const copies = deliveries.map((delivery) => dispatchOf(about, delivery, round, send))
      const sent = await presence.together(copies, () => wire.together(outgoing, { turns: 0 }))
      keep(sent)
      await mustBeThere(round)
      return sent
    },
    async stands() {
      const { response } = await deliver('after', genuine())
      if (!response) await deliver('after', genuine())
    },
    processed: async (name, of) => void (await ask(name, of)),
    settled: (name, of) => settle(() => ask(name, of), round),
    async allSettled(name, ids) {
      const until = clock.now() + subject.effectsWaitMs
      for (const of of ids) await poll(() => ask(name, of), until, round)
    },
    pause: (ms) => clock.sleep(ms, signal),
  }
}

type Deliver = (name: string, delivery: Delivery) => Promise<Exchange>

/** All attempts of a sender, once, at what a process that goes on has dropped: a network does so now and then. */
function insisting(deliver: Deliver, control: () => Delivery, { fatal }: Presence): Deliver {
  let left = limits.webhookAttempts
  return async (name, delivery) => {
    const known = fatal.length
    const exchange = await deliver(name, delivery)
    const isSurprising = isDropped(exchange) && fatal.length === known
    const mayGoOn = async () => left-- > 0 && (await deliver(controlOf(name), control())).response && left > 0
    if (isSurprising) while ((await mayGoOn()) && isDropped(await deliver(attemptOf(name), delivery)));
    return exchange
  }
}

async function settle(ask: () => Promise<Exchange>, round: Round): Promise<number> {
  const { subject, clock } = round
  const began = clock.now()
  const probe = await poll(ask, began + subject.effectsWaitMs, round)
  const count = numberIn(probe)
  if (count === null) throw stopped(`${probe.request.path} did not answer 200 with a whole number`)
  if (count === 0)
    throw stopped(`a genuine delivery had no effect within ${subject.effectsWaitMs / 1000} s: ${noEffect}`)
  return clock.now() - began
}

/** Asks until the count is not 0, or the time is over. */
async function poll(ask: () => Promise<Exchange>, until: number, { clock, signal }: Round) {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const probe = await ask()
    if (numberIn(probe) !== 0 || clock.now() > until || signal?.aborted) return probe
    await clock.sleep(pauseMs, signal)
  }
}

/** Asks for a delivery that was never sent. */
export const firstEffects = ({ subject, wire, source }: Round): Promise<Exchange> =>
  wire.send(asking('preflight', 'effects', `whd_${source.uuid()}`, subject), { turns: 0 })

/** The question how often a delivery was processed. Throws an ending if no effects URL was declared. */
function asking(scenario: string, name: string, id: string, { url, effects }: Subject): Outgoing {
  if (effects === null) return environmentFails('effects-unknown')('no effects were declared')
  const place = new URL(effects.replaceAll('{id}', encodeURIComponent(id)))
  const plain = { method: 'GET', headers: [], body: new Uint8Array(), principal: null }
  const elsewhere = place.origin === new URL(url).origin ? {} : { replica: place.origin }
  return { scenario, name, path: pathOf(place.href), ...plain, ...elsewhere }
}
