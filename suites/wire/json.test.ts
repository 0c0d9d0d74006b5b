import { expect, test } from 'vitest'
import { at, parseJson } from './json.ts'

const nested = (depth: number, inner = ''): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

test.for([
  ['500 levels', nested(500), true],
  ['501 levels', nested(501), false],
  ['as many as recursion never survives', nested(100_000), false],
  ['brackets in a text', JSON.stringify(`"\\${'['.repeat(1_000)}`), true],
  ['many beside each other', `[${'[],'.repeat(1_000)}[]]`, true],
] as const)('JSON of %s is read: %s', ([, text, read]) => {
  expect(parseJson(text).ok).toBe(read)
})

test('what is nested too deep is refused in words', () => {
  expect(parseJson(nested(600))).toEqual({
    ok: false,
    why: 'it is nested deeper than 500 levels',
    unread: true,
  })
})

test('a pointer does not leave the document', () => {
  expect(at({ a: 1 }, '/__proto__/toString')).toBeUndefined()
})

test.for([
  ['', { a: [1] }],
  ['/a', [1]],
  ['/a/0', 1],
  ['/a/01', undefined],
  ['/a/x', undefined],
  ['/a/length', undefined],
  ['/none/a', undefined],
] as const)('a pointer %j', ([pointer, expected]) => {
  const value = { a: [1] }
  expect(at(pointer === '/none/a' ? { none: null } : value, pointer)).toEqual(expected)
})

test('a pointer reaches far into a list, and starts with a slash', () => {
  expect(
    at(
      Array.from({ length: 12 }, (_, nth) => nth),
      '/11',
    ),
  ).toBe(11)
  expect(() => at({}, 'a')).toThrow('"a" is no JSON pointer; it is empty or starts with a slash')
})
