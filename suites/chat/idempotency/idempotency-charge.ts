/**
 * Charges by key: one turn each. The balance is always read from the next fresh turn, never from the fields of a
 * replay.
 */
import { scenario, type ChatRequest } from '../../scenario/scenario.ts'
import { given, observed } from '../../scenario/expect.ts'
import { oneRun, winnerOf } from '../assertions/race.ts'
import { isReplay, balanced, remaining, used } from '../../assertions/reply.ts'
import { replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** What is charged for what is between its turns, a rule judges. */
export const replays = scenario({
  title: 'replays and conflicts consume no credits',
  exchanges: ['turns[]', 'first', 'again[]', 'late'],
  needs: { exclusiveCredits: true },
  cost: { requests: 14, turns: 9 },
  async run(t) {
    const paid = (more: ChatRequest = {}): Promise<Exchange> =>
      t.add('turns', { message: t.text(40), ...more })
    const [request, idempotency_key] = [{ message: t.text(40), idempotency_key: t.key() }, t.key()]
    await paid()
    const first = await t.chat('first', request)
    await t.resendTo('again', first)
    await t.resendTo('again', first)
    await paid({ idempotency_key })
    await t.add('again', { message: t.text(52), idempotency_key })
    await paid()
    await t.resendTo('again', await paid({ stream: true }))
    await paid()
    await t.add('again', { ...request, stream: true })
    await paid()
    await t.resend('late', first)
    await paid()
  },
  judge: {},
  observe: {
    'GAP-REPLAY-CREDITS': ({ first, turns, late }) =>
      given(replied(first), () => {
        if (!isReplay(late)) return observed('no replay')
        const left = remaining(late)
        const last = turns
          .filter(({ id }) => id < late.id)
          .map(remaining)
          .at(-1)
        const balance = left === remaining(first) ? 'then' : left === last ? 'now' : 'at another time'
        const amount =
          used(late) === used(first) ? 'as in the original' : used(late) === 0 ? 'nothing' : 'other'
        return observed(`credits used: ${amount}; credits left: those ${balance}`)
      }),
  },
})

export const race = scenario({
  title: 'however many identical requests were sent, the turn is charged once',
  exchanges: ['control', 'before', 'race[]', 'after'],
  needs: { exclusiveCredits: true },
  cost: { requests: 11, turns: 4 },
  async run(t) {
    await t.chat('control', { message: t.text(40) })
    await t.chat('before', { message: t.text(40) })
    const request = { message: t.text(40), idempotency_key: t.key() }
    await t.together(
      'race',
      Array.from({ length: 8 }, () => request),
    )
    await t.chat('after', { message: t.text(40) })
  },
  judge: {
    'IDEM-RACE-CHARGE': ({ control, before, race, after }) => {
      const [run, winner] = [oneRun(race), winnerOf(race)]
      if (run.is === 'inconclusive' || !winner) return run
      return given(balanced(control, before), () => balanced(before, after, [winner]))
    },
  },
})
