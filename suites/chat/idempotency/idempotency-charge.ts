/**
 * Charges by key: one turn each. The balance is always read from the next fresh turn, never from the fields of a
 * replay.
 */
import { scenario } from '../../scenario/scenario.ts'
import { status } from '../../assertions/answer.ts'
import { given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import { oneRun, winnerOf } from '../assertions/race.ts'
import { isReplay, balanced, remaining, used } from '../../assertions/reply.ts'
import { accepts, replied } from '../../assertions/turn.ts'

export const replays = scenario({
  title: 'replays and conflicts consume no credits',
  exchanges: [
    'control',
    'first',
    'again[]',
    'next',
    'conflict',
    'after',
    'streamed',
    'streamedAgain',
    'last',
    'late',
    'end',
  ],
  needs: { exclusiveCredits: true },
  cost: { requests: 12, turns: 7 },
  async run(t) {
    await t.chat('control', { message: t.text(40) })
    const first = await t.chat('first', { message: t.text(40) })
    await t.resendTo('again', first)
    await t.resendTo('again', first)
    const key = t.key()
    await t.chat('next', { message: t.text(40), idempotency_key: key })
    await t.chat('conflict', { message: t.text(52), idempotency_key: key })
    await t.chat('after', { message: t.text(40) })
    const streamed = await t.chat('streamed', { message: t.text(40), stream: true })
    await t.resend('streamedAgain', streamed)
    await t.chat('last', { message: t.text(40) })
    await t.resend('late', first)
    await t.chat('end', { message: t.text(40) })
  },
  judge: {},
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

export const otherMode = scenario({
  title: 'a turn answered as JSON that is replayed as a stream consumes no credits for it',
  exchanges: ['control', 'first', 'streamed', 'next'],
  needs: { exclusiveCredits: true },
  cost: { requests: 4, turns: 4 },
  async run(t) {
    await t.chat('control', { message: t.text(40) })
    const request = { message: t.text(40), idempotency_key: t.key() }
    await t.chat('first', request)
    await t.chat('streamed', { ...request, stream: true })
    await t.chat('next', { message: t.text(40) })
  },
  judge: {
    'IDEM-REPLAY-FREE': ({ control, first, streamed, next }) =>
      given(balanced(control, first), () => {
        if (isReplay(streamed)) return balanced(first, next)
        // Refused as a different request, which the contract allows.
        const taken = status(streamed, 409).is === 'pass' ? pass : accepts(streamed)
        return given(taken, () => notApplicable('a turn answered as JSON is not replayed as a stream here'))
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
