/** Turns that fail within the service. */
import { scenario } from '../../scenario/scenario.ts'
import { codesOf, flatError, shown, status, statusOf } from '../../assertions/answer.ts'
import { all, check, every, given, notApplicable } from '../../scenario/expect.ts'
import { replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** Longer than any turn takes: a key of a request that failed is not in progress for so long. */
const overMs = 60_000

const isInProgress = (one: Exchange): boolean => codesOf(one).includes('REQUEST_IN_PROGRESS')

const failing = (state: 'server.500' | 'server.503', clause: 'ERR-500' | 'ERR-503', expected: number) =>
  scenario({
    title: `a failure with ${expected} is a flat error, and leaves its key to be sent again`,
    exchanges: ['failed', 'after', 'again[]'],
    needs: { states: [state] },
    cost: { requests: 4, turns: 4 },
    async run(t) {
      const failed = await t.chat('failed', { message: t.message })
      await t.leave(state)
      await t.chat('after', { message: t.text(30) })
      if (!isInProgress(await t.resendTo('again', failed))) return
      await t.settle(overMs)
      await t.resendTo('again', failed)
    },
    judge: {
      [clause]: ({ failed, after }: Record<'failed' | 'after', Exchange>) =>
        given(replied(after), () => {
          const judgement = status(failed, expected)
          return judgement.is === 'pass' ? flatError(failed) : judgement
        }),
      'IDEM-IN-FLIGHT-OVERLAP': ({ failed, after, again }) =>
        given(all(replied(after), status(failed, expected)), () =>
          every(again.slice(-1), (last) => {
            if ([200, 409].includes(statusOf(last)))
              return check(!isInProgress(last), 'a key that is not in progress', shown(last, 80), last)
            return notApplicable('the same request fails again')
          }),
        ),
    },
  })

export const whenBroken = failing('server.500', 'ERR-500', 500)
export const whenUnavailable = failing('server.503', 'ERR-503', 503)
