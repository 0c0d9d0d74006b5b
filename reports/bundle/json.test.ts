import { expect, it } from 'vitest'
import { isPlainlySpelled } from './json.ts'

const plain = (text: string): boolean => isPlainlySpelled(text, JSON.parse(text))

it.each([
  '{"a":[1,2.5,-3e+21,"x y\\" z",null],"b":{"":true}}',
  ' {\r\n\t"a" : [ 1 , "  " ] }\n',
  '"Grüße \\ud800"',
])('%j can be read in one way only', (text) => {
  expect(plain(text)).toBe(true)
})

it.each(['{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"\\u0061":1}', '{"a":1.0}', '{"a":12345678901234567890}'])(
  '%j may be read otherwise',
  (text) => {
    expect(plain(text)).toBe(false)
  },
)
