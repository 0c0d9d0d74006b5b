/** Which requests of chat tell that the AI sent a message: those that a reply came of, and no others. */
import { forcing } from '../../config/provided.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import { isReplay, statusOf } from '../../assertions/answer.ts'
import { came, reached, since, until } from '../assertions/new-deliveries.ts'
import { eventsAmong } from '../assertions/events.ts'
import { all, every, given, inconclusive, notApplicable } from '../../scenario/expect.ts'
import { replayed as wasReplayed } from '../../assertions/once.ts'
import { notStored, saysStored } from '../../assertions/paused.ts'
import { fieldOf, fields } from '../../assertions/reply.ts'
import { noneTold, type Kind } from '../assertions/events-after.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { isQuiet, lull } from '../webhook-requests.ts'

const event = 'message.sent'

/** On the target's clock: in this time what is told of is told. */
const toldMs = 5_000

type Told = Driver<'hook' | 'first' | 'streamed[]' | 'replayed[]' | 'refused[]' | 'stored[]' | 'arrived[]'>

/** What no reply comes of. */
function silentActs(t: Told, first: Exchange): readonly (() => Promise<unknown>)[] {
  const stored = async (): Promise<void> => {
    const { agent } = t
    await t.enter('chat.paused')
    // A standing paused agent is another one, whose webhooks are others.
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

/** Each twice, and time for what comes of it: only where more came than was due. */
async function onceMore(t: Told, acts: ReturnType<typeof silentActs>, place: Endpoint): Promise<void> {
  await t.settle(2 * toldMs)
  for (const act of acts.flatMap((one) => [one, one])) {
    const { count } = place
    await act()
    await place.arrived(count + 1, toldMs)
  }
}

export const replies = scenario({
  title: 'a reply is told of, complete or streamed, and what no reply comes of is not',
  exchanges: ['hook', 'first', 'streamed[]', 'replayed[]', 'refused[]', 'stored[]', 'arrived[]'],
  // What others say to the agent would be told of here.
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
      const told = eventsAmong(until(arrived, streamed[0] ?? first), event)
      const scenario = [first, ...streamed, ...replayed, ...refused, ...stored]
      if (streamed.length === 0) return notApplicable('no turn of this agent tells of its reply')
      const kinds: readonly Kind[] = [
        { words: 'a replay', requests: replayed, isSo: isReplay },
        { words: 'a message that was refused', requests: refused, isSo: (one) => statusOf(one) >= 400 },
        { words: 'a message stored while AI replies are paused', requests: stored, isSo: isStored },
      ]
      return given(came(told, 'the endpoint after a reply'), () =>
        all(
          noneTold(kinds, arrived, event, scenario),
          every(streamed, (one) => isTold(one, arrived)),
        ),
      )
    },
  },
})

const toolEvent = 'tool.executed'
/** So often a replay is told of before it counts; no more than one is sent where nothing comes of it. */
const mostReplays = 3

export const tools = scenario({
  title: 'a replay of a turn that used a tool is not told of as if the tool were used again',
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
      // What comes while nothing is sent, such as late news of the first turn, may be what comes after a replay, too.
      if (place.count > before && !(await isQuiet(t, place))) return t.note('late', true)
    }
  },
  judge: {
    'EVT-TOOL-EXECUTED': ({ first, replayed, arrived }, { notes }) => {
      const [again] = replayed
      if (notes['late'] === true) return inconclusive('events came late, which tells nothing of replays')
      if (!again) return notApplicable('no turn of this agent tells of its tools')
      const told = eventsAmong(until(arrived, again), toolEvent)
      const kind = { words: 'a replay', requests: replayed, isSo: isReplay }
      return given(
        all(came(told, 'the endpoint after a turn with a tool'), wasReplayed(first, ...replayed)),
        () => noneTold([kind], arrived, toolEvent, [first, ...replayed]),
      )
    },
  },
})

function isTold(streamed: Exchange, arrived: readonly Exchange[]): Judgement {
  const expected = `a delivery of ${event} for a streamed reply, as for one that is not streamed`
  return given(notStored(streamed), () =>
    reached(eventsAmong(since(arrived, streamed), event), expected, streamed),
  )
}

const isStored = (exchange: Exchange): boolean =>
  fieldOf(exchange, 'response') === '' && saysStored(fields(exchange))
