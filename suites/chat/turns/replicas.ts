/**
 * One deployment at several base addresses: the effect of a key at one of them applies at every other. A store local
 * to each replica passes every other scenario, as long as all requests reach the same replica.
 */
import { scenario, type Needs, type Driver } from '../../scenario/scenario.ts'
import { refused } from '../../assertions/answer.ts'
import { every, given } from '../../scenario/expect.ts'
import { conflict, replayed } from '../../assertions/once.ts'
import { oneRun, othersWaitOrReplay } from '../assertions/race.ts'

const needs: Needs = { replicas: true, extra: true }

/** A few replicas of a larger deployment suffice. */
const most = 3

function furtherOf({ replicas }: Pick<Driver, 'replicas'>): readonly number[] {
  return Array.from({ length: Math.min(replicas, most) }, (_, i) => i + 1)
}

/** Replays, and what they cost, are judged by rules. */
export const replay = scenario({
  title: 'a key used at one base address counts at every other',
  exchanges: ['first', 'other[]', 'far', 'elsewhere[]', 'again'],
  needs,
  cost: { requests: 2 * most + 3, turns: most + 2 },
  async run(t) {
    const idempotency_key = t.key()
    const first = await t.chat('first', { message: t.text(40), idempotency_key })
    for (const replica of furtherOf(t))
      await t.add('other', { message: t.text(52), idempotency_key, replica })
    const far = await t.chat('far', { message: t.text(40), replica: 1 })
    for (const replica of [0, ...furtherOf(t).slice(1)]) await t.resendTo('elsewhere', far, { replica })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-CONFLICT-CODE': ({ first, other }) => conflict(first, other),
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
