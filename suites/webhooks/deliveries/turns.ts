/** Which chat requests cause `message.sent`: those with a reply, and no others. */
import { forcing } from '../../config/provided.ts'
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import { isReplay, statusOf } from '../../assertions/answer.ts'
import { someArrived, reached, since, until, isTestDelivery } from '../assertions/deliveries.ts'
import { eventsAmong } from '../assertions/events.ts'
import { all, every, given, inconclusive, notApplicable, fail, pass } from '../../scenario/expect.ts'
import { replayed as wasReplayed } from '../../assertions/once.ts'
import { notStored, saysStored } from '../../assertions/paused.ts'
import { fieldOf, fields } from '../../assertions/reply.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { isQuiet, lull } from '../webhook-requests.ts'

const event = 'message.sent'

/** Time on the target's clock within which events arrive. */
const eventMs = 5_000

type TurnsDriver = Driver<
  'hook' | 'first' | 'streamed[]' | 'replayed[]' | 'refused[]' | 'stored[]' | 'arrived[]'
>

function silentActs(t: TurnsDriver, first: Exchange): readonly (() => Promise<unknown>)[] {
  const stored = async (): Promise<void> => {
    const { agent } = t
    await t.enter('chat.paused')
    // The agent of a paused fixture is another one, with other webhooks.
    if (t.agent === agent) await t.add('stored')
    await t.leave('chat.paused')
  }
  const canPause = t.providerOf('chat.paused') !== 'exec' && forcing.includes(t.providerOf('chat.paused'))
  return [
    () => t.resendTo('replayed', first),
    () => t.add('refused', { message: '' }),
    ...(canPause ? [stored] : []),
  ]
}

/** Repeats each request twice and waits, only if more arrived than expected. */
async function onceMore(t: TurnsDriver, acts: ReturnType<typeof silentActs>, place: Endpoint): Promise<void> {
  await t.settle(2 * eventMs)
  for (const act of acts.flatMap((one) => [one, one])) {
    const { count } = place
    await act()
    await place.arrived(count + 1, eventMs)
  }
}

export const replies = scenario({
  title: 'a reply causes message.sent, streamed or not, and requests without a reply do not',
  exchanges: ['hook', 'first', 'streamed[]', 'replayed[]', 'refused[]', 'stored[]', 'arrived[]'],
  // Messages of other clients to the agent would be delivered here.
  needs: { session: true, receiver: true, alone: true },
  cost: { requests: 13, turns: 5 },
  async run(t) {
    const place = t.endpoint('arrived')
    await t.webhook('hook', place, { events: [event] })
    const first = await t.chat('first')
    if (!(await place.arrived(1))) return
    await lull(t)
    const { count } = place
    const acts = silentActs(t, first)
    for (const act of acts) await act()
    await lull(t)
    const { count: before } = place
    await t.add('streamed', { stream: true })
    await place.arrived(before + 1)
    await lull(t)
    if (place.count > 2 * count) await onceMore(t, acts, place)
  },
  judge: {
    'EVT-MESSAGE-SENT': ({ first, streamed, replayed, refused, stored, arrived }) => {
      const replies = eventsAmong(until(arrived, streamed[0] ?? first), event)
      const scenario = [first, ...streamed, ...replayed, ...refused, ...stored]
      if (streamed.length === 0) return notApplicable('no turn of this agent causes the event')
      const kinds: readonly NoEventKind[] = [
        { words: 'a replay', requests: replayed, isSo: isReplay },
        { words: 'a message that was refused', requests: refused, isSo: (one) => statusOf(one) >= 400 },
        { words: 'a message stored while AI replies are paused', requests: stored, isSo: isStored },
      ]
      return given(someArrived(replies, 'the endpoint after a reply'), () =>
        all(
          noneDelivered(kinds, arrived, event, scenario),
          every(streamed, (one) => isDelivered(one, arrived)),
        ),
      )
    },
  },
})

const toolEvent = 'tool.executed'
/** An event after this many replays counts; only one is sent if none arrives. */
const mostReplays = 3

export const tools = scenario({
  title: 'a replay of a turn with a tool causes no second tool.executed',
  exchanges: ['hook', 'first', 'replayed[]', 'arrived[]'],
  needs: { states: ['stream.tool'], session: true, receiver: true, alone: true, extra: true },
  cost: { requests: 6 + mostReplays, turns: 1 },
  async run(t) {
    const place = t.endpoint('arrived')
    await t.webhook('hook', place, { events: [toolEvent] })
    const first = await t.chat('first', { message: t.message })
    if (!(await place.arrived(1))) return
    await lull(t)
    for (let at = 0, before = -1; at < mostReplays && place.count > before; at++) {
      before = place.count
      await t.resendTo('replayed', first)
      await lull(t)
      // An event that arrives without a request, such as a late one of the first turn, may also arrive after a
      // replay.
      if (place.count > before && !(await isQuiet(t, place))) return t.note('late', true)
    }
  },
  judge: {
    'EVT-TOOL-EXECUTED': ({ first, replayed, arrived }, { notes }) => {
      const [again] = replayed
      if (notes['late'] === true) return inconclusive('events arrived late, so replays cannot be judged')
      if (!again) return notApplicable('no turn of this agent causes an event for its tools')
      const tools = eventsAmong(until(arrived, again), toolEvent)
      const kind = { words: 'a replay', requests: replayed, isSo: isReplay }
      return given(
        all(someArrived(tools, 'the endpoint after a turn with a tool'), wasReplayed(first, ...replayed)),
        () => noneDelivered([kind], arrived, toolEvent, [first, ...replayed]),
      )
    },
  },
})

function isDelivered(streamed: Exchange, arrived: readonly Exchange[]): Judgement {
  const expected = `a delivery of ${event} for a streamed reply, as for one that is not streamed`
  return given(notStored(streamed), () =>
    reached(eventsAmong(since(arrived, streamed), event), expected, streamed),
  )
}

const isStored = (exchange: Exchange): boolean =>
  fieldOf(exchange, 'response') === '' && saysStored(fields(exchange))

interface NoEventKind {
  readonly words: string
  readonly requests: readonly Exchange[]
  /** Whether the request is of the kind, such as a replay: a request that ran as a turn may cause an event. */
  isSo: (request: Exchange) => boolean
}

/**
 * A service may send events for other reasons, and late: fails only if one arrived after each of the repeated
 * requests. A request sent once was followed by no more than expected.
 */
function noneDelivered(
  kinds: readonly NoEventKind[],
  arrived: readonly Exchange[],
  event: string,
  scenario: readonly Exchange[],
): Judgement {
  return every(kinds, ({ words, requests, isSo }) => {
    const again = requests.slice(1).filter(isSo)
    // Deliveries of the event that arrived between a request and the next one of the scenario.
    const delivered = again.map((request) => {
      const next = Math.min(...scenario.map(({ id }) => id).filter((id) => id > request.id))
      const anew = since(arrived, request).filter(({ id }) => id < next)
      return eventsAmong(anew, event).find((one) => !isTestDelivery(one))
    })
    if (again.length < 2 || delivered.some((one) => one === undefined)) return pass
    return fail(`no ${event} for ${words}`, `one each of ${again.length} times`, delivered[0])
  })
}
