import { expect, test } from 'vitest'
import type { Json } from '../wire/json.ts'
import { inside, put } from './pointer.ts'

test.for<[what: string, into: Json, pointer: string, value: Json, is: Json]>([
  ['a member', { a: 1 }, '/b', 2, { a: 1, b: 2 }],
  ['what is there', { a: { b: 1, c: 1 } }, '/a/b', 2, { a: { b: 2, c: 1 } }],
  ['what is on the way', {}, '/a/b', 1, { a: { b: 1 } }],
  ['an item of a list', [{ a: 1 }, { a: 1 }], '/1/a', 2, [{ a: 1 }, { a: 2 }]],
  ['names with slashes and tildes', {}, '/a~1b~0c', 1, { 'a/b~c': 1 }],
  ['an object at the top, which joins', { key: 'k' }, '', { a: 1 }, { key: 'k', a: 1 }],
  ['anything else at the top, which takes it', { key: 'k' }, '', [1], [1]],
  ['a name that every object inherits', {}, '/toString/a', 1, { toString: { a: 1 } }],
])('it puts %s', ([, into, pointer, value, is]) => {
  expect(put(into, pointer, value)).toEqual(is)
})

test('what it is given stays as it is', () => {
  const into = { a: { b: 1 } }
  put(into, '/a/b', 2)
  expect(into).toEqual({ a: { b: 1 } })
})

test('what is near to the top comes first', () => {
  expect([...inside({ a: { b: [1] }, c: 2 })].map(({ name, parent }) => `${parent}>${name}`)).toEqual([
    '>',
    '>a',
    '>c',
    'a>b',
    'b>0',
  ])
})
