import { expect, test } from 'vitest'
import { fromDifference } from './difference.ts'

const beginning = '注文は明日の朝に届きます。'.repeat(10)

test.each([
  ['short texts', 'abc', 'abd', ['abc', 'abd']],
  ['long texts that differ early', `a${beginning}`, `b${beginning}`, [`a${beginning}`, `b${beginning}`]],
  ['equal texts', beginning, beginning, [beginning, beginning]],
  ['one text', beginning, undefined, [beginning, undefined]],
  [
    'long texts that differ late',
    `${beginning}赤い`,
    `${beginning}青い`,
    [
      `… (110 equal characters) ${beginning.slice(110)}▸赤い`,
      `… (110 equal characters) ${beginning.slice(110)}▸青い`,
    ],
  ],
])('%s', (_, expected, got, shown) => {
  expect(fromDifference(expected, got)).toEqual(shown)
})
