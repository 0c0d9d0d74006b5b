import { expect, test } from 'vitest'
import { breathe } from '../tenant/clock/machine-time.ts'
import { abreast } from './abreast.ts'

test('at most the limit run at once, each item once, and failures are reported', async () => {
  const done: number[] = []
  let [working, most] = [0, 0]
  const reasons = await abreast(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++working)
    await breathe()
    working--
    done.push(item)
    if (item % 3 === 0) throw new Error(`${item} failed`)
  })

  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(3)
  expect(reasons.map(String)).toEqual(['Error: 3 failed', 'Error: 6 failed'])
})
