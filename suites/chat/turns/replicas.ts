/**
 * One deployment at several base addresses: the effect of a key at one of them applies at every other. A store local
 * to each replica passes every other scenario, as long as all requests reach the same replica.
 */
import { scenario, type Needs, type Driver } from '../../scenario/scenario.ts'
import { refused } from '../../assertions/answer.ts'
import { all, every, given } from '../../scenario/expect.ts'
import { conflict, ran, replayed } from '../../assertions/once.ts'
import { oneRun, othersWaitOrReplay } from '../assertions/race.ts'
import { balanced, markedReplay } from '../../assertions/reply.ts'
import { accepts, refusedBeside, replied } from '../../assertions/turn.ts'

const needs: Needs = { replicas: true, extra: true }

/** A few replicas of a larger deployment suffice. */
const most = 3

/** The other base addresses of the scenario, as a request names them. */
function furtherOf({ replicas }: Pick<Driver, 'replicas'>): readonly number[] {
  return Array.from({ length: Math.min(replicas, most) }, (_, i) => i + 1)
}

export const replay = scenario({
  title: 'a key used at one base address is replayed at every other',
  exchanges: ['first', 'elsewhere[]', 'far', 'home'],
  needs,
  cost: { requests: most + 3, turns: most + 3 },
  profile: 'smoke',
  async run(t) {
    const first = await t.chat('first', { message: t.text(40) })
    for (const replica of furtherOf(t)) await t.resendTo('elsewhere', first, { replica })
    const far = await t.chat('far', { message: t.text(40), replica: 1 })
    await t.resend('home', far, { replica: 0 })
  },
  judge: {
    'IDEM-REPLAY-STATUS': ({ first, elsewhere, far, home }) =>
      all(
        given(replied(first), () => every(elsewhere, accepts)),
        given(replied(far), () => accepts(home)),
      ),
    'IDEM-REPLAY-HEADER': ({ first, elsewhere, far, home }) =>
      given(all(ran(first), ran(far)), () =>
        every([...elsewhere, home], (again) => given(accepts(again), () => markedReplay(again))),
      ),
  },
})

export const otherMessage = scenario({
  title: 'a key used at one base address conflicts with another message at every other',
  exchanges: ['first', 'other[]', 'again'],
  needs,
  cost: { requests: most + 2, turns: most + 1 },
  async run(t) {
    const idempotency_key = t.key()
    const first = await t.chat('first', { message: t.text(40), idempotency_key })
    for (const replica of furtherOf(t))
      await t.add('other', { message: t.text(52), idempotency_key, replica })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-CONFLICT-STATUS': ({ first, other }) => every(other, (one) => refusedBeside(first, one, 409)),
    'IDEM-CONFLICT-CODE': ({ first, other }) => conflict(first, ...other),
    'IDEM-CONFLICT-UNCHANGED': ({ first, other, again }) =>
      given(every(other, refused), () => replayed(first, again)),
  },
})

export const race = scenario({
  title: 'of concurrent identical requests to several base addresses exactly one runs',
  exchanges: ['race[]', 'after[]'],
  needs,
  cost: { requests: 3 * (most + 1), turns: most + 1 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key() }
    const everywhere = [0, ...furtherOf(t)].map((replica) => ({ ...request, replica }))
    await t.together('race', [...everywhere, ...everywhere])
    for (const again of everywhere) await t.add('after', again)
  },
  judge: {
    'IDEM-RACE-ONE-RUN': ({ race, after }) => oneRun([...race, ...after]),
    'IDEM-RACE-OTHERS': ({ race }) => othersWaitOrReplay(race),
  },
})

export const charge = scenario({
  title: 'every base address has the same balance, which a replay elsewhere does not change',
  exchanges: ['control', 'first', 'again[]', 'next'],
  needs: { ...needs, exclusiveCredits: true },
  cost: { requests: most + 3, turns: most + 3 },
  async run(t) {
    await t.chat('control', { message: t.text(40), replica: 1 })
    const first = await t.chat('first', { message: t.text(40) })
    for (const replica of furtherOf(t)) await t.resendTo('again', first, { replica })
    await t.chat('next', { message: t.text(40), replica: 1 })
  },
  judge: {
    'CRED-BALANCE': ({ control, first }) => balanced(control, first),
    'IDEM-REPLAY-FREE': ({ control, first, again, next }) =>
      given(all(balanced(control, first), every(again, accepts)), () => balanced(first, next)),
  },
})
