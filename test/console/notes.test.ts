/** What the console says about each agent, key and session that a tenant has. */
import { expect, test } from 'vitest'
import { agentNotes, keyNotes, sessionNotes } from '../../console/start/notes.ts'
import { ticksOf } from '../../console/requests/time-ticks.ts'
import { createSimulator } from '../../simulator/index.ts'

test('every agent, key and session has a note', async () => {
  await using simulator = await createSimulator()
  const { agents, keys, sessions } = simulator.tenant
  expect(Object.keys(agentNotes).toSorted()).toEqual(Object.keys(agents).toSorted())
  expect(Object.keys(keyNotes).toSorted()).toEqual(Object.keys(keys).toSorted())
  expect(Object.keys(sessionNotes).toSorted()).toEqual(Object.keys(sessions).toSorted())
})

test.each([
  [1, [0, 1]],
  [37, [0, 10, 20, 30]],
  [887, [0, 200, 400, 600, 800]],
  [90_000, [0, 20_000, 40_000, 60_000, 80_000]],
  [600_000, [0, 120_000, 240_000, 360_000, 480_000, 600_000]],
])('an axis of %i ms has ticks at round times', (length, expected) => {
  const ticks = ticksOf(length)
  expect(ticks.map(({ ms }) => ms)).toEqual(expected)
  expect(ticks.every(({ ms, left }) => left === (100 * ms) / length)).toBe(true)
})
