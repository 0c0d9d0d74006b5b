/** Stream events that occur only in certain states: tools, gates and failures. */
import type { StateId } from '../../../spec/index.ts'
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { answered } from '../../assertions/answer.ts'
import {
  all,
  check,
  every,
  given,
  inconclusive,
  notApplicable,
  observed,
  softened,
} from '../../scenario/expect.ts'
import { saysStored } from '../../assertions/paused.ts'
import { presents } from '../assertions/presentation.ts'
import { balanced, field, fields, remaining, used, withoutCredits } from '../../assertions/reply.ts'
import {
  reportsFailure,
  reportsGate,
  isReplacedAsIn,
  eventMembers,
} from '../assertions/streams/stream-events.ts'
import { eventsOf, isTerminal } from '../assertions/streams/stream.ts'
import { conversationOf, outcome } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

const mostWays = 3

/** A streamed turn in the entered state, what comes next, its replay, and one turn for each alternative; returns the last. */
async function turnInEachWay(
  t: Driver<'turn' | 'again' | 'more[]'>,
  state: StateId,
  next?: () => Promise<unknown>,
): Promise<Exchange> {
  let last = await t.chat('turn', { stream: true, message: t.message })
  await next?.()
  await t.resend('again', last)
  for (let way = 1; way < t.waysTo(state); way++) {
    await t.leave(state)
    await t.enter(state, {}, way)
    last = await t.add('more', { stream: true, message: t.message })
  }
  return last
}

const inEach =
  (judge: (turn: Exchange) => Judgement) =>
  ({ turn, more }: { turn: Exchange; more: readonly Exchange[] }): Judgement =>
    every([turn, ...more], judge)

export const toolTurn = scenario({
  title: 'a tool that runs in a streamed turn has a start and a complete event, and what it uses is reported',
  exchanges: ['before', 'turn', 'complete', 'again', 'more[]'],
  needs: { enters: ['stream.tool'], exclusiveCredits: ['CRED-BALANCE', 'CRED-BALANCE-STREAM'] },
  cost: { requests: mostWays + 3, turns: mostWays + 2 },
  // The result of a tool may follow in a message that is charged separately. So the turn before is a plain one: the
  // balance after the first turn with a tool shows the charge of that turn alone.
  async run(t) {
    await t.chat('before', { message: t.text(30) })
    await t.enter('stream.tool')
    await turnInEachWay(t, 'stream.tool', () => t.chat('complete', { message: t.message }))
  },
  judge: {
    'RES-RESPONSE-FILLED': ({ complete }) =>
      given(field(complete, 'response', 'string'), () =>
        presents(complete) || saysStored(fields(complete))
          ? notApplicable('the reply to what a tool is used for is no text alone')
          : field(complete, 'response', 'filled string'),
      ),
    'SSE-ACTION-START': inEach((turn) => eventMembers(turn, 'action_start', ['actionName'])),
    'SSE-ACTION-COMPLETE': inEach((turn) => eventMembers(turn, 'action_complete', ['actionName'])),
    'CRED-BALANCE-STREAM': ({ before, turn }) => balanced(before, turn),
    'CRED-BALANCE': ({ turn, complete }) => softened(balanced(turn, complete)),
  },
})

export const gateTurn = scenario({
  title: 'a gate that changes a streamed turn has an event with its decision and reason',
  exchanges: ['turn', 'again', 'more[]', 'later'],
  needs: { states: ['stream.gate'] },
  cost: { requests: mostWays + 2, turns: mostWays + 1 },
  async run(t) {
    const id = conversationOf(await turnInEachWay(t, 'stream.gate'))
    const within = id === null ? {} : { conversation_id: id }
    await t.chat('later', { stream: true, message: t.message, ...within })
  },
  judge: {
    'SSE-GATE': ({ turn, more, later }) =>
      all(
        inEach((one) => eventMembers(one, 'gate_triggered'))({ turn, more }),
        ...[later].filter((one) => isReplacedAsIn(more.at(-1) ?? turn, one)).map(reportsGate),
      ),
  },
})

export const failedTurn = scenario({
  title: 'a turn that fails during its stream ends with an error event, and is charged at most once',
  exchanges: ['before', 'turn', 'between', 'again', 'after'],
  needs: { enters: ['stream.error'], exclusiveCredits: ['SSE-ERROR-ONE-CHARGE'] },
  cost: { requests: 5, turns: 5 },
  async run(t) {
    await t.chat('before', { message: t.text(30) })
    await t.enter('stream.error')
    const turn = await t.chat('turn', { stream: true, message: t.message })
    await t.leave('stream.error')
    await t.chat('between', { message: t.text(30) })
    await t.resend('again', turn)
    await t.chat('after', { message: t.text(30) })
  },
  judge: {
    'SSE-ERROR': ({ turn }) => reportsFailure(turn),
    'SSE-ERROR-ONE-CHARGE': ({ before, turn, between, again, after }) =>
      given(all(eventMembers(turn, 'error'), answered(again)), () => {
        const [first, second] = [spentBetween(before, between), spentBetween(between, after)]
        if (first === null || second === null) return withoutCredits(before, between, after)
        if (first < 0 || second < 0) return inconclusive('credits were added meanwhile')
        const got = `${first} charged for the turn, ${second} for its retry`
        return check(first === 0 || second === 0, 'at most one charge', got, again)
      }),
  },
  observe: {
    'GAP-FAILED-STREAM': ({ turn, again }) =>
      given(eventMembers(turn, 'error'), () => {
        const terminal = eventsOf(again).find(isTerminal)
        return observed(
          terminal ? `a stream that ends with ${JSON.stringify(terminal['type'])}` : outcome(again),
        )
      }),
  },
})

/** Credits charged between two turns beyond what the second one used, to a millionth. */
function spentBetween(first: Exchange, second: Exchange): number | null {
  const [before, after, cost] = [remaining(first), remaining(second), used(second)]
  if (before === null || after === null || cost === null) return null
  return Math.round((before - after - cost) * 1e6) / 1e6
}
