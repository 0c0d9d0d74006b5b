/** What is charged: of one key, one turn. The witness is always the next fresh turn, never a replay's own fields. */
import { scenario } from '../engine/scenario.ts'
import { status } from '../judge/answer.ts'
import { balanced, remaining, used } from '../judge/credits.ts'
import { every, given, observed } from '../judge/expect.ts'
import { oneRun, winnerOf } from '../judge/race.ts'
import { isReplay } from '../judge/reply.ts'
import { accepts, replied } from '../judge/turn.ts'

export const replays = scenario({
  title: 'replays and conflicts consume no credits',
  exchanges: ['first', 'again[]', 'next', 'conflict', 'streamed', 'streamedAgain', 'last', 'late'],
  needs: { exclusiveCredits: true },
  cost: { requests: 9, turns: 4 },
  async play(t) {
    const first = await t.chat('first', { message: t.text(40) })
    await t.resendTo('again', first)
    await t.resendTo('again', first)
    const key = t.key()
    await t.chat('next', { message: t.text(40), idempotency_key: key })
    await t.chat('conflict', { message: t.text(52), idempotency_key: key })
    const streamed = await t.chat('streamed', { message: t.text(40), stream: true })
    await t.resend('streamedAgain', streamed)
    await t.chat('last', { message: t.text(40) })
    await t.resend('late', first)
  },
  judge: {
    'IDEM-REPLAY-FREE': ({ first, again, next }) => given(every(again, accepts), () => balanced(first, next)),
    'IDEM-CONFLICT-FREE': ({ next, conflict, streamed }) =>
      given(status(conflict, 409), () => balanced(next, streamed)),
    'IDEM-STREAM-REPLAY-FREE': ({ streamed, streamedAgain, last }) =>
      given(accepts(streamedAgain), () => balanced(streamed, last)),
  },
  observe: {
    'GAP-REPLAY-CREDITS': ({ first, last, late }) =>
      given(replied(first), () => {
        if (!isReplay(late)) return observed('no replay')
        const left = remaining(late)
        const balance =
          left === remaining(first) ? 'then' : left === remaining(last) ? 'now' : 'at another time'
        const amount =
          used(late) === used(first) ? 'as in the original' : used(late) === 0 ? 'nothing' : 'other'
        return observed(`credits used: ${amount}; credits left: those ${balance}`)
      }),
  },
})

export const race = scenario({
  title: 'however many identical requests were sent, the turn is charged once',
  exchanges: ['before', 'race[]', 'after'],
  needs: { exclusiveCredits: true },
  cost: { requests: 10, turns: 3 },
  async play(t) {
    await t.chat('before', { message: t.text(40) })
    const request = { message: t.text(40), idempotency_key: t.key() }
    await t.together(
      'race',
      Array.from({ length: 8 }, () => request),
    )
    await t.chat('after', { message: t.text(40) })
  },
  judge: {
    'IDEM-RACE-CHARGE': ({ before, race, after }) => {
      const [run, winner] = [oneRun(race), winnerOf(race)]
      return run.is === 'inconclusive' || !winner ? run : balanced(before, after, [winner])
    },
  },
})
