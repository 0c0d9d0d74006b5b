import { describe, expect, test } from 'vitest'
import { createClock, frozenStart } from './clock.ts'

describe('a frozen clock', () => {
  test('moves only when it is advanced, and runs what is due in order', async () => {
    const clock = createClock({ mode: 'frozen' })
    const order: string[] = []
    for (const ms of [30, 10, 20])
      void clock.sleep(ms, { label: `${ms}` }).then(() => order.push(`${ms} at ${clock.now() - frozenStart}`))
    expect(clock.nextIn()).toBe(10)
    expect(await clock.advance(20)).toEqual({ now: frozenStart + 20, fired: ['10', '20'] })
    expect(clock.nextIn()).toBe(10)
    expect(order).toEqual(['10 at 10', '20 at 20'])
    expect(clock.pending).toBe(1)
    await clock.advance(60)
    expect(clock.nextIn()).toBeNull()
  })

  test('runs what a timer started within the same advance', async () => {
    const clock = createClock({ mode: 'frozen', at: 1_000 })
    const seen: number[] = []
    const paced = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        await clock.sleep(5)
        seen.push(clock.now())
      }
    }
    const done = paced()
    await clock.advance(100)
    await done
    expect(seen).toEqual([1_005, 1_010, 1_015])
  })

  test('refuses a moment that is no date, and goes on', async () => {
    const clock = createClock({ mode: 'frozen', at: 0 })
    await expect(clock.advance(1e18)).rejects.toThrow(/no date/)
    expect(() => clock.set({ mode: 'offset', ms: 1e18 })).toThrow(/no date/)
    expect(() => clock.set({ mode: 'frozen', at: Date.parse('9999-01-01T00:00:00Z') })).toThrow(/no date/)
    expect(await clock.advance(5)).toMatchObject({ now: 5 })
  })

  test('advances to its next timer, and waits for work under way', async () => {
    const clock = createClock({ mode: 'frozen', at: 0 })
    let delivered = false
    void clock
      .sleep(7)
      .then(() => clock.track(new Promise<void>((resolve) => void setTimeout(resolve, 5))))
      .then(() => (delivered = true))
    expect(await clock.advanceTo('next-timer')).toMatchObject({ now: 7 })
    expect(delivered).toBe(true)
  })

  test('waits for work without a promise, and for no longer than its timeout', async () => {
    const clock = createClock({ mode: 'frozen', at: 0 })
    const order: string[] = []
    const end = clock.busy()
    clock.busy({ timeoutMs: 5 })
    setTimeout(() => {
      order.push('ended')
      end()
    }, 5)
    await clock.advance(1).then(() => order.push('advanced'))
    expect(order).toEqual(['ended', 'advanced'])
  })

  test('lets go of a sleep that is aborted', async () => {
    const clock = createClock({ mode: 'frozen' })
    const abort = new AbortController()
    const slept = clock.sleep(1_000, { signal: abort.signal })
    abort.abort()
    await slept
    expect(clock.pending).toBe(0)
  })
})

describe('a clock that runs', () => {
  test('can be offset, and advanced beyond that', async () => {
    const clock = createClock({ mode: 'offset', ms: 3_600_000 })
    const before = clock.now()
    expect(before - Date.now()).toBeGreaterThan(3_590_000)
    const slept = clock.sleep(60_000, { label: 'minute' })
    expect((await clock.advance(60_000)).fired).toEqual(['minute'])
    await slept
  })

  test('runs scaled time faster than real time', async () => {
    const clock = createClock({ mode: 'scaled', factor: 1_000 })
    const began = performance.now()
    await clock.sleep(5_000)
    expect(performance.now() - began).toBeLessThan(2_500)
    clock.close()
  })
})
