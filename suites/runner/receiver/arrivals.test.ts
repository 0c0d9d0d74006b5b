import { expect, test } from 'vitest'
import type { Answered, Arrival, InboundPlace } from '../../inbound/inbox.ts'
import { realClock, type Clock } from '../../wire/clock.ts'
import { hasArrived, inboundExchange } from './arrivals.ts'
import { sharedTime } from '../states/shared-time.ts'

/** A place that counts its arrivals. */
function placeDouble(): InboundPlace & { take(): void } {
  const arrivals: Arrival[] = []
  return {
    path: '/a',
    arrivals,
    refused: 0,
    broken: 0,
    take: () => void arrivals.push(arrival),
    script: () => undefined,
    release: () => undefined,
    arrived: (count) => Promise.resolve(arrivals.length >= count),
    close: () => undefined,
  }
}

const arrival: Arrival = {
  number: 1,
  method: 'POST',
  path: '/a?b',
  headers: [['X-A', 'b']],
  body: new Uint8Array([1]),
  cut: true,
  at: 10,
  done: new Promise(() => undefined),
}

const still: Clock = { now: () => 0, sleep: () => Promise.resolve(), wall: () => '' }

test.each([
  [1, 60_000, [0, 100, 200, 700, 1000, 1000], true, 3000],
  [2, 2_500, [0, 100, 200, 700, 1000, 500], false, 2500],
  [0, 60_000, [0], true, 0],
] as const)(
  'for %d deliveries the clock of a target is moved on by seconds, the first in parts, up to %d ms',
  async (count, ms, expected, arrived, now) => {
    const place = placeDouble()
    const steps: number[] = []
    const time = sharedTime(still, async (step) => {
      steps.push(step)
      if (steps.length === 6) place.take()
      return 0
    })
    const wait = async (step: number): Promise<void> => time.advance?.(step)
    expect(await hasArrived(() => place, count, ms, { clock: still, time, wait })).toBe(arrived)
    expect([steps, time.now()]).toEqual([expected, now])
  },
)

test('on a clock that nothing moves one look is enough', async () => {
  const place = placeDouble()
  const looks: number[] = []
  const clock: Clock = { ...still, sleep: async (ms) => void looks.push(ms) }
  const waiting = { clock, time: sharedTime(clock, null), wait: () => Promise.reject(new Error('no')) }
  expect(await hasArrived(() => place, 1, 60_000, waiting)).toBe(false)
  expect(looks).toHaveLength(1)
})

test('on a clock that goes by itself a closed port is waited for no longer than was said', async () => {
  const clock = realClock()
  const waiting = { clock, time: sharedTime(clock, undefined), wait: () => Promise.reject(new Error('no')) }
  expect(await hasArrived(() => null, 1, 5, waiting)).toBe(false)
})

const about = { id: 3, scenario: 'a/b', name: 'one', place: '/a', ahead: 1000, aheadAtEnd: 11_000 }
const went: Answered = { status: 200, headers: [], body: 'ok', at: 20, end: 'answered' }

test.each([
  ['answered', went, 200, true, null],
  [
    'not answered before its sender went',
    { ...went, status: null, end: 'gone' },
    undefined,
    undefined,
    'aborted',
  ],
  ['begun to be answered, and left by its sender', { ...went, end: 'gone' }, 200, false, 'aborted'],
  ['closed by us', { ...went, status: null, end: 'closed' }, undefined, undefined, 'reset'],
  ['open as the scenario ended', { at: 20, end: 'open' }, undefined, undefined, 'reset'],
] as const)('a request that was %s is an exchange that says so', (_, answered, status, complete, kind) => {
  const exchange = inboundExchange(arrival, answered, about)
  expect([exchange.response?.status, exchange.response?.complete]).toEqual([status, complete])
  expect(exchange.failure?.kind ?? null).toBe(kind)
  expect(exchange).toMatchObject({
    request: { method: 'POST', path: '/a?b', principal: null },
    sentAt: 10,
    endedAt: 20,
    inbound: { place: '/a', targetAt: 1010, targetEndedAt: 11_020, cut: true },
  })
})
