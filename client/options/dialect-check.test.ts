import { expect, test } from 'vitest'
import { dialectOf, defaultDialect, type Dialect, type Partly } from './dialect.ts'
import { InvalidCall } from '../errors.ts'

test('an empty dialect is that of the defaults, which keep their own check', () => {
  expect(dialectOf({})).toEqual(defaultDialect)
  expect(dialectOf(defaultDialect)).toEqual(defaultDialect)
})

test('any member is replaced alone, at any depth, and one pointer is a list of one', () => {
  const own = { task: { state: '/ticket/state' }, approval: { approved: ['yes', 'ja'] } }
  expect(dialectOf(own)).toEqual({
    ...defaultDialect,
    task: { state: ['/ticket/state'] },
    approval: { ...defaultDialect.approval, approved: ['yes', 'ja'] },
  })
})

const step = { path: '/f', bytes: '' }
const wrong: readonly [unknown, RegExp][] = [
  [null, /`dialect` is null\. Give an object with any of routes, lists/],
  [{ discover: {} }, /`dialect\.discover` is unknown\. Use routes, .*discovery/],
  [{ discovery: { lists: '/a' } }, /`dialect\.discovery\.lists` is unknown\. Use list, cursor/],
  [{ discovery: '/a' }, /`dialect\.discovery` is "\/a"\. Give an object/],
  [{ discovery: { list: [] } }, /`dialect\.discovery\.list` is \[\]\. Give a JSON pointer/],
  [{ discovery: { list: ['/a', 'b'] } }, /Give a JSON pointer, such as .*, or a list of several/],
  [{ task: { state: 'state' } }, /`dialect\.task\.state` is "state"/],
  [{ execution: { key: 3 } }, /`dialect\.execution\.key` is 3\. .*or null/],
  [{ execution: { keyHeader: 'X Deed' } }, /Give the name of a header, or null/],
  [{ approval: { approved: [1] } }, /`dialect\.approval\.approved` is \[1\]\. Give a text/],
  [{ constructor: {} }, /`dialect\.constructor` is unknown/],
  [{ uploads: { document: {} } }, /`dialect\.uploads\.document\.finalize` is missing/],
  [{ uploads: { document: { finalize: { bytes: '' } } } }, /finalize\.path` is missing/],
  [{ uploads: { document: { finalize: { ...step, path: 'f' } } } }, /finalize\.path` is "f"\. Give a path/],
  [{ uploads: { document: { finalize: { ...step, method: 'PATCH' } } } }, /"PATCH"\. Give POST or PUT/],
  [{ uploads: { document: { finalize: { ...step, key: 'k' } } } }, /finalize\.key` is "k"/],
  [{ uploads: { document: { finalize: step } } }, /no place in it for the prepare key.*otherKeyHeader/],
  [
    { uploads: { document: { prepare: { path: '/p' }, finalize: { path: '/f' } } } },
    /`dialect\.uploads\.document` sends the bytes nowhere/,
  ],
]
test.for(wrong)('%j is refused, with its place and what to write', ([own, words]) => {
  expect(() => dialectOf(own as Partly<Dialect>)).toThrow(InvalidCall)
  expect(() => dialectOf(own as Partly<Dialect>)).toThrow(words)
})
