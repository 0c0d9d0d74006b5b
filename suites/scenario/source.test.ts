import { expect, test } from 'vitest'
import { createSource } from './source.ts'

const lengths = [1, 2, 7, 8, 9, 10, 11, 40, 41, 255, 9_999, 10_000, 10_001]

test.for(lengths)('a text has exactly so many characters %i', (length) => {
  const source = createSource(1, 'nonce', 'a/b')
  for (let i = 0; i < 50; i++) {
    const text = source.text(length)
    expect(text).toHaveLength(length)
    expect(text).toMatch(/^[A-Z][\x20-\x7e]*$/)
    expect(text.trim()).toBe(text)
  }
})

test('keys, texts and ids are never the same twice, nor in another run or scenario', () => {
  const sources = [
    createSource(1, 'one', 'a/b'),
    createSource(1, 'two', 'a/b'),
    createSource(1, 'one', 'a/c'),
    createSource(2, 'one', 'a/b'),
  ]
  const made = sources.flatMap((source) =>
    Array.from({ length: 200 }, () => [source.key(), source.text(20), source.uuid()]).flat(),
  )
  expect(new Set(made).size).toBe(4 * 200 * 3)
})

test('the same seed and run make the same values, in any process', () => {
  const [one, two] = [createSource(7, 'run', 'a/b'), createSource(7, 'run', 'a/b')]
  expect([one.key(), one.text(), one.uuid()]).toEqual([two.key(), two.text(), two.uuid()])
  expect(createSource(7, 'run', 'a/b').key()).toMatch(/^touchstone-[0-9a-f]{32}$/)
})

test('choices depend on the seed and not on the run, and reach every number', () => {
  const choices = (seed: number, nonce: string): readonly number[] => {
    const source = createSource(seed, nonce, 'a/b')
    return Array.from({ length: 100 }, () => source.pick(5))
  }
  expect(choices(3, 'one')).toEqual(choices(3, 'two'))
  expect(choices(3, 'one')).not.toEqual(choices(4, 'one'))
  expect(new Set(choices(3, 'one'))).toEqual(new Set([0, 1, 2, 3, 4]))
})
