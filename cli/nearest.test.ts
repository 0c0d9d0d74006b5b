import { expect, it } from 'vitest'
import { hint, likelyName } from './nearest.ts'

const names = ['replay-without-header', 'stream-two-done', 'GAP-IDENTICAL']

it.each([
  ['replay-witout-header', 'replay-without-header'],
  ['stream-done', undefined],
  ['two-done', 'stream-two-done'],
  ['gap-identicl', 'GAP-IDENTICAL'],
  ['nothing-like-it', undefined],
  ['', undefined],
])('takes %j for %j', (word, name) => {
  expect(likelyName(word, names)).toBe(name)
})

it('says nothing rather than something far off', () => {
  expect(hint('x', names)).toBe('')
  expect(hint('stream-two-don', names)).toBe(' (did you mean stream-two-done?)')
})
