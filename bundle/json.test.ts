import { expect, it } from 'vitest'
import { isPlainlySpelled, parseJson } from './json.ts'

const plain = (text: string): boolean => isPlainlySpelled(text, JSON.parse(text))

it.each([
  '{"a":[1,2.5,-3e+21,"x y\\" z",null],"b":{"":true}}',
  ' {\r\n\t"a" : [ 1 , "  " ] }\n',
  '"Grüße \\ud800"',
  '{\n  "a": [\n    1\n  ]\n}\n',
])('%j can be read in one way only', (text) => {
  expect(plain(text)).toBe(true)
})

it.each([
  '{"a":1,"a":2}',
  '{\n  "a": 1,\n  "a": 2\n}\n',
  '{"a":{"b":1,"b":1}}',
  '{"\\u0061":1}',
  '{"a":1.0}',
  '{"a":12345678901234567890}',
])('%j may be read otherwise', (text) => {
  expect(plain(text)).toBe(false)
})

it('as many values are parsed as the reader allows', () => {
  const list = `[${'0,'.repeat(600_000)}0]`
  expect(parseJson(list)).toEqual({ ok: false, why: 'it has more than 500000 values', unread: true })
  expect(parseJson(list, 600_000).ok).toBe(true)
})
