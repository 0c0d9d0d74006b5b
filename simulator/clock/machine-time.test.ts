import { afterEach, expect, test, vi } from 'vitest'
import { breathe } from './machine-time.ts'

afterEach(() => void vi.useRealTimers())

test('fake timers of the process hold nothing back', async () => {
  vi.useFakeTimers()
  const under = breathe()
  vi.useRealTimers()
  await under
  expect(await breathe()).toBeUndefined()
})
