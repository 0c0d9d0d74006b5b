import { describe, expect, it } from 'vitest'
import { realClock } from './clock.ts'

describe('the real clock', () => {
  it('begins with the run, rises, and sleeps no less than it is asked to', async () => {
    const clock = realClock()
    const before = clock.now()
    await clock.sleep(20)
    expect(before).toBeLessThan(20)
    expect(clock.now() - before).toBeGreaterThan(19)
    expect(clock.wall()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('wakes at a signal, at once if it has fired already, and never rejects', async () => {
    const clock = realClock()
    const bell = new AbortController()
    const asleep = clock.sleep(60_000, bell.signal)
    bell.abort(new Error('enough'))
    await expect(asleep).resolves.toBeUndefined()
    await expect(clock.sleep(60_000, bell.signal)).resolves.toBeUndefined()
    expect(clock.now()).toBeLessThan(30_000)
  })
})
