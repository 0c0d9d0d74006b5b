/** Concurrent identical requests. A race without an overlap is inconclusive, never a pass. */
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import {
  byKey,
  eachKey,
  oneRun,
  otherMessageConflicts,
  otherMessageRefused,
  othersWaitOrReplay,
  progressOnlyWhileRunning,
  repliesApart,
  replayAfterReply,
  replaysEqual,
} from '../assertions/race.ts'

const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)

const raceScenario = (count: number, profile: Profile) =>
  scenario({
    title: `of ${count} identical concurrent requests exactly one runs`,
    exchanges: ['race[]', 'after'],
    cost: { requests: count + 1, turns: 1 },
    profile,
    async run(t) {
      const request = { message: t.text(40), idempotency_key: t.key() }
      await t.together('race', times(count, request))
      await t.chat('after', request)
    },
    judge: {
      'IDEM-RACE-ONE-RUN': ({ race, after }) => oneRun([...race, after]),
      'IDEM-RACE-OTHERS': ({ race }) => othersWaitOrReplay(race),
      'IDEM-IN-FLIGHT-OVERLAP': ({ race, after }) => progressOnlyWhileRunning([...race, after]),
      'IDEM-REPLAY-AT-ONCE': ({ race, after }) => replayAfterReply([...race, after]),
      'IDEM-REPLAY-RESPONSE': ({ race, after }) => replaysEqual([...race, after], 'response'),
      'IDEM-REPLAY-CONVERSATION': ({ race, after }) => replaysEqual([...race, after], 'conversation_id'),
    },
  })

export const four = raceScenario(4, 'smoke')
export const ten = raceScenario(10, 'standard')
export const forty = raceScenario(40, 'exhaustive')

export const streams = scenario({
  title: 'of identical streamed concurrent requests exactly one runs',
  exchanges: ['race[]', 'after'],
  cost: { requests: 7, turns: 1 },
  async run(t) {
    const request = { message: t.text(40), idempotency_key: t.key(), stream: true }
    await t.together('race', times(6, request))
    await t.chat('after', request)
  },
  judge: {
    'IDEM-RACE-STREAM': ({ race, after }) => oneRun([...race, after]),
  },
})

export const carriers = scenario({
  title: 'of concurrent requests that carry one key in different ways exactly one runs',
  exchanges: ['race[]', 'after'],
  cost: { requests: 7, turns: 1 },
  async run(t) {
    const [message, key] = [t.text(40), t.key()]
    const inBody = { message, idempotency_key: key }
    const inHeader = (name: string) => ({ message, idempotency_key: null, headers: [[name, key]] }) as const
    const three = [inBody, inHeader('Idempotency-Key'), inHeader('X-Idempotency-Key')]
    await t.together('race', [...three, ...three])
    await t.chat('after', inBody)
  },
  judge: {
    'IDEM-RACE-CARRIERS': ({ race, after }) => oneRun([...race, after]),
  },
})

const keysScenario = (keys: number, requests: number, profile: Profile) =>
  scenario({
    title: `${keys} keys in a race of ${requests} requests each never return each other's reply`,
    exchanges: ['race[]', 'after[]'],
    cost: { requests: keys * (requests + 1), turns: keys },
    profile,
    async run(t) {
      const one = Array.from({ length: keys }, () => ({ message: t.text(40), idempotency_key: t.key() }))
      await t.together('race', times(requests, one).flat())
      for (const request of one) await t.add('after', request)
    },
    judge: {
      'IDEM-RACE-KEYS': ({ race, after }) => {
        const all = [...race, ...after]
        return repliesApart(byKey(all))
      },
      'IDEM-RACE-ONE-RUN': ({ race, after }) => eachKey([...race, ...after], (...same) => oneRun(same)),
    },
  })

export const keys = keysScenario(2, 3, 'standard')
export const manyKeys = keysScenario(6, 8, 'exhaustive')

export const twoMessages = scenario({
  title: 'of two concurrent messages with one key only one runs, and the other is refused',
  exchanges: ['race[]', 'after[]'],
  cost: { requests: 8, turns: 1 },
  async run(t) {
    const idempotency_key = t.key()
    const both = [t.text(40), t.text(52)].map((message) => ({ message, idempotency_key }))
    await t.together('race', times(3, both).flat())
    for (const request of both) await t.add('after', request)
  },
  judge: {
    'IDEM-CONFLICT-STATUS': ({ race, after }) => otherMessageRefused([...race, ...after]),
    'IDEM-CONFLICT-CODE': ({ race, after }) => otherMessageConflicts([...race, ...after]),
  },
})
