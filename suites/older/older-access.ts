/** Authorization in the older variant: which key may send a message to which agent. */
import type { Judgement } from '../scenario/judgement.ts'
import { scenario } from '../scenario/scenario.ts'
import { refused } from '../assertions/answer.ts'
import { check, every, given, inconclusive } from '../scenario/expect.ts'
import { nestedError } from './assertions/older.ts'
import { refusedBeside, replied } from '../assertions/turn.ts'
import type { Exchange } from '../wire/exchange.ts'

export const refusals = scenario({
  title: 'a key that nobody has and an agent that is not there are refused, and so is no key',
  exchanges: ['accepted', 'missing', 'unknown', 'nowhere'],
  needs: { older: 'key', extra: true },
  cost: { requests: 4, turns: 1 },
  async run(t) {
    const message = t.text(30)
    const accepted = await t.older('accepted', { message })
    t.note('keyHasPrefix', keyOf(accepted).startsWith('ak_'))
    await t.older('missing', { message, as: null })
    const unknown = `Bearer ak_${t.uuid().replaceAll('-', '')}`
    await t.older('unknown', { message, as: null, headers: [['Authorization', unknown]] })
    await t.older('nowhere', { message, agent: t.uuid() })
  },
  judge: {
    'OLD-KEY': ({ accepted }, { notes }) =>
      given(replied(accepted), () =>
        check(notes['keyHasPrefix'] === true, 'a key that begins with `ak_`', 'another', accepted),
      ),
    'OLD-REFUSALS': ({ accepted, missing, unknown, nowhere }) =>
      every(
        [
          [missing, 401],
          [unknown, 401],
          [nowhere, 404, 403],
        ] as const,
        ([bad, expected, instead]) => refusedAs(accepted, bad, expected, instead),
      ),
    'OLD-ERROR': ({ accepted, unknown, nowhere }) =>
      given(replied(accepted), () => every([unknown, nowhere], nestedError)),
  },
})

export const anotherAgent = scenario({
  title: 'a key of one agent is good for no other',
  exchanges: ['own', 'other', 'away'],
  needs: { older: 'two-keys', extra: true },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const message = t.text(30)
    await t.older('own', { message })
    await t.older('other', { message, as: 'otherOlder' })
    await t.older('away', { message, as: 'otherOlder', agent: t.agent })
  },
  judge: {
    'OLD-KEY': ({ own, other, away }) =>
      given(replied(own), () => given(replied(other), () => refused(away))),
    'OLD-REFUSALS': ({ own, other, away }) => given(replied(own), () => refusedAs(other, away, 403, 404)),
  },
})

/**
 * For a key of one agent, a forbidden agent may be hidden and a missing one may be forbidden: the other of the two
 * statuses is inconclusive.
 */
function refusedAs(accepted: Exchange, bad: Exchange, expected: number, instead?: number): Judgement {
  if (instead !== undefined && bad.response?.status === instead)
    return inconclusive(`\`${bad.name}\` was answered ${instead}, which a key for one agent allows as well`)
  return refusedBeside(accepted, bad, expected)
}

function keyOf({ request }: Exchange): string {
  const value = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  return value.slice(value.indexOf(' ') + 1)
}
