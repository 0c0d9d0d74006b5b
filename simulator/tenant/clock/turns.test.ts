import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one item runs in each turn of the event loop, in order', async () => {
  const turns = createTurns()
  const ran: string[] = []
  for (const name of ['a', 'b', 'c']) turns(() => ran.push(name))
  const counts: number[] = []
  while (ran.length < 3) {
    counts.push(ran.length)
    await turnOfEventLoop()
  }
  expect(ran).toEqual(['a', 'b', 'c'])
  expect(counts.every((count, at) => at === 0 || count <= (counts[at - 1] ?? 0) + 1)).toBe(true)
  turns(() => ran.push('d'))
  await expect.poll(() => ran.at(-1)).toBe('d')
})

test.for([
  [5, 5],
  [1_000, 100],
])('no item runs while arrivals come: %i of them are %i turns of the event loop', async ([coming, turns]) => {
  let arrived = 0
  const arrive = (): void => {
    if (arrived === coming) return
    arrived++
    setImmediate(arrive)
  }
  setImmediate(arrive)
  const before = await new Promise<number>((resolve) => createTurns(() => arrived)(() => resolve(arrived)))
  expect(before).toBe(turns)
})
