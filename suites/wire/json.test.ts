import { expect, test } from 'vitest'
import { at, parseJson } from './exchange.ts'

const nested = (depth: number, inner = ''): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

test.for([
  ['500 levels', nested(500), true],
  ['501 levels', nested(501), false],
  ['brackets in a text', JSON.stringify(`"\\${'['.repeat(1_000)}`), true],
  ['many beside each other', `[${'[],'.repeat(1_000)}[]]`, true],
] as const)('JSON of %s is read: %s', ([, text, read]) => {
  expect(parseJson(text).ok).toBe(read)
})

const list = Array.from({ length: 12 }, (_, nth) => nth)
const value = { a: { 'b/c': [1, { '': null }] }, 'm~n': 2, none: null, list }

test.for([
  ['', value],
  ['/a/b~1c/0', 1],
  ['/a/b~1c/1/', null],
  ['/m~0n', 2],
  ['/list/11', 11],
  ['/list/01', undefined],
  ['/list/x', undefined],
  ['/list/12', undefined],
  ['/list/length', undefined],
  ['/none/a', undefined],
  ['/m~0n/x', undefined],
  ['/toString', undefined],
  ['/__proto__/toString', undefined],
] as const)('a pointer %j', ([pointer, expected]) => {
  expect(at(value, pointer)).toEqual(expected)
})

test('a pointer starts with a slash', () => {
  expect(() => at({}, 'a')).toThrow('"a" is no JSON pointer; it is empty or starts with a slash')
})
