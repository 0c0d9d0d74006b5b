import { describe, expect, it } from 'vitest'
import { jsonValue } from './values.ts'

describe('CLI-INPUT-ONE-VALUE: what is typed as JSON', () => {
  it.each([
    ['{}', {}],
    [' {"a": [1, null, "x"]} ', { a: [1, null, 'x'] }],
    ['"text"', 'text'],
    ['0', 0],
  ])('is taken where it is one value: %s', (typed, value) => {
    expect(jsonValue('--input', typed)).toEqual(value)
  })

  it.each([
    ['nothing', ''],
    ['a value that is cut off', '{"a": 1'],
    ['a text that is cut off', '{"a": "b'],
    ['two values', '{} {}'],
    ['a comma at the end', '{"a": 1,}'],
    ['a comment', '{"a": 1} // so'],
    ['single quotes', "{'a': 1}"],
    ['a name without quotes', '{a: 1}'],
    ['what is no JSON number', 'NaN'],
  ])('is refused where it is %s, without being repeated', (_, typed) => {
    expect(() => jsonValue('--input', typed)).toThrow(/^--input is not one complete JSON value: /)
  })
})

describe('CLI-INPUT-ELLIPSIS: what is typed as JSON', () => {
  it.each([['{"a": 1, ...}'], ['[1, …]'], ['[1, ..., 9]'], ['...'], ['{"a": …}'], ['{"a": "x", "b": ...']])(
    'is refused with an ellipsis: %s',
    (typed) => {
      expect(() => jsonValue('--input', typed)).toThrow(/^--input has an ellipsis: /)
    },
  )

  it.each([['{...rest}'], ['{"a": 1, ...rest}'], ['[... [1, 2]]'], ['{...{"a": 1}}'], ['{... $input}']])(
    'is refused with spread syntax: %s',
    (typed) => {
      expect(() => jsonValue('--input', typed)).toThrow(/^--input has spread syntax: /)
    },
  )

  it.each([['{"text": "and so on..."}'], ['{"…": "\\"...rest"}'], ['["...", "…"]'], ['"{...rest}"']])(
    'keeps both within texts: %s',
    (typed) => {
      expect(jsonValue('--input', typed)).toEqual(JSON.parse(typed))
    },
  )
})
