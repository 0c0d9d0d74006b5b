import { describe, expect, test } from 'vitest'
import { createRateMeter, noLimit, type RateKind, type RateRule } from './rate.ts'

const rule = (kind: RateKind): RateRule => ({ kind, limit: 60, windowMs: 60_000 })
const kinds: readonly RateKind[] = ['sliding', 'fixed', 'bucket']

test('what has no limit is not used up, and says so', () => {
  const none: RateRule = { kind: 'bucket', limit: noLimit, windowMs: 60_000 }
  expect(() => createRateMeter().exhaust('key', none, 1_000)).toThrow('without `unlimited`')
})

describe('a rate', () => {
  test.for(kinds)('counted as %s accepts sixty at once and refuses the next', (kind) => {
    const meter = createRateMeter()
    const now = 120_000
    for (let i = 0; i < 60; i++) {
      expect(meter.look('key', rule(kind), now).remaining).toBe(60 - i)
      meter.spend('key', rule(kind), now)
    }
    expect(meter.look('key', rule(kind), now).retryAfterMs).toBeGreaterThan(0)
    expect(meter.look('other', rule(kind), now).remaining).toBe(60)
  })

  test.for(kinds)('counted as %s accepts one more after the wait it names, and not before', (kind) => {
    const meter = createRateMeter()
    for (let i = 0; i < 60; i++) meter.spend('key', rule(kind), 100_000 + i * 10)
    const now = 101_000
    const { retryAfterMs } = meter.look('key', rule(kind), now)
    expect(meter.look('key', rule(kind), now + retryAfterMs - 1).remaining).toBe(0)
    expect(meter.look('key', rule(kind), now + retryAfterMs).remaining).toBeGreaterThan(0)
  })

  test.for(kinds)('counted as %s never refuses one request every 1.1 seconds', (kind) => {
    const meter = createRateMeter()
    for (let now = 5; now < 600_000; now += 1_100) {
      expect(meter.look('key', rule(kind), now).retryAfterMs).toBe(0)
      meter.spend('key', rule(kind), now)
    }
  })

  test.for(kinds)('counted as %s is exhausted and reset at will', (kind) => {
    const meter = createRateMeter()
    meter.exhaust('key', rule(kind), 1_000)
    expect(meter.look('key', rule(kind), 1_000).remaining).toBe(0)
    meter.reset('key')
    expect(meter.look('key', rule(kind), 1_000).remaining).toBe(60)
  })
})
