import { expect, test } from 'vitest'
import { otherCase, otherDigit, otherLetter, otherOrder, otherWords } from './single-edit.ts'
import { scriptNames, lettersByScript } from '../requests/multilingual.ts'

test('a letter, a digit, a case, two letters or two words are other ones', () => {
  const text = 'Order 4711 for Anna'
  expect(otherLetter(text, 0)).toBe('rrder 4711 for Anna')
  expect(otherLetter(text, 18)).toBe('Order 4711 for AnnO')
  expect(otherDigit(text, 7)).toBe('Order 4811 for Anna')
  expect(otherCase(text, 6)).toBe('Order 4711 For Anna')
  expect(otherOrder(text, 0)).toBe('rOder 4711 for Anna')
  expect(otherOrder(text, 18)).toBe('Order 4711 for Anan')
  expect(otherWords(text)).toBe('4711 Order for Anna')
})

test.for(scriptNames)(
  'a letter of the script %s is another one anywhere, in every Unicode form',
  (script) => {
    const text = lettersByScript[script].repeat(3)
    const length = Array.from(text).length
    for (const from of [0, length / 2, length - 1]) {
      const other = otherLetter(text, from)
      expect(Array.from(other)).toHaveLength(length)
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
        expect(other.normalize(form).toLowerCase()).not.toBe(text.normalize(form).toLowerCase())
    }
  },
)
