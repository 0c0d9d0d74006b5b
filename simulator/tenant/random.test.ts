import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('uuids are of version 4 and all different', () => {
  const random = createRandom('seed')
  const uuids = new Set(Array.from({ length: 10_000 }, () => random.uuid()))
  expect(uuids.size).toBe(10_000)
  expect([...uuids].every((id) => uuid.test(id))).toBe(true)
})

test('the same seed gives the same, near seeds do not', () => {
  const draw = (seed: string) => createRandom(seed).word(32)
  expect(draw('a')).toBe(draw('a'))
  expect(new Set(['a', 'b', 'aa', '', 'a ', '/b'].map(draw)).size).toBe(6)
})

test('numbers below a limit spread over all of them', () => {
  const random = createRandom('seed')
  const counts = [0, 0, 0, 0, 0]
  for (let i = 0; i < 10_000; i++) counts[random.below(5)]! += 1
  for (const count of counts) expect(count).toBeGreaterThan(1_800)
})

test('a fork does not change the generator it was made from', () => {
  const random = createRandom('seed')
  random.fork('other').next()
  expect(random.next()).toBe(createRandom('seed').next())
})
