import { expect, test } from 'vitest'
import { fullHouse, idleConnections, slowReaders } from './scenarios.ts'

const kibibyte = 1024

// Small numbers, for each change; `npm run lab -- endurance` has large ones, and prints what they took.

test('streams that nobody reads take little memory each, delay nobody, and can be read later', async () => {
  const { each, read, inOrder, before, meanwhile } = await slowReaders(40)
  expect(each).toBeLessThan(2048 * kibibyte)
  expect(read).toBeGreaterThan(8 * 1024 * kibibyte)
  expect(inOrder).toBe(true)
  expect(meanwhile).toBeLessThan(25 * Math.max(1, before))
})

test('connections that say nothing are taken, take little memory, and delay nobody', async () => {
  const { taken, each, before, meanwhile } = await idleConnections(1_000)
  expect(taken).toBe(1_000)
  expect(each).toBeLessThan(64 * kibibyte)
  expect(meanwhile).toBeLessThan(25 * Math.max(1, before))
})

test('a process without room for more clients says so, keeps those it has, and takes others later', async () => {
  const full = await fullHouse(300, 400)
  expect(full).toMatchObject({ taken: 172, turnedAway: 228, takenAfter: 10 })
  expect(full.notices[0]).toMatch(
    /^172 connections are open, .* 1 turned away so far\. Allow more with ulimit -n\.$/,
  )
  expect(full.notices).toHaveLength(3)
})
