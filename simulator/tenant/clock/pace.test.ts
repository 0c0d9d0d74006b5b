import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import { createMachine } from './machine.testkit.ts'
import { createPace } from './pace.ts'

/** When each of ten waits of 1 ms ends, where the process does nothing for `stopMs` whenever one is due. */
async function endsOf(stopMs: number, restarts = false): Promise<readonly number[]> {
  const machine = createMachine()
  const clock = createClock({ mode: 'real' }, machine)
  const pace = createPace(clock)
  const ends: number[] = []
  for (let count = 0; count < 10; count++) {
    const wait = pace.wait(1)
    if (wait) machine.stop(stopMs)
    await wait
    ends.push(machine.elapsed())
    if (restarts) pace.restart()
  }
  return ends
}

test.for([
  ['on time', 1, false, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['late, and the next ones catch up', 5, false, [5, 5, 5, 5, 5, 10, 10, 10, 10, 10]],
  ['late, and what was held is not caught up with', 5, true, [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]],
] as const)('waits that end %s', async ([, stopMs, restarts, expected]) => {
  expect(await endsOf(stopMs, restarts)).toEqual(expected)
})

test('nothing is waited for without a time', () => {
  expect(createPace(createClock({ mode: 'frozen' })).wait(0)).toBeUndefined()
})
