import { expect, test } from 'vitest'
import { breathe } from '../tenant/clock/machine-time.ts'
import { abreast } from './abreast.ts'

test('so many are worked on at once, each of them once, and those that fail are told', async () => {
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
