import { expect, test } from 'vitest'
import { createSource } from '../../scenario/source.ts'
import { almostEqual, bodyKeys, oddHeaderKeys, oddKeys } from './keys.ts'

const source = (nonce = 'a') => createSource(7, nonce, 'keys')

test('sampled keys are printable, of 1 to 255 characters, and differ from run to run', () => {
  const keys = bodyKeys(source(), 50)
  expect(keys.filter((key) => !/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() !== key)).toEqual([])
  expect(new Set(keys.map((key) => key.length)).size).toBeGreaterThan(10)
  expect(bodyKeys(source('b'), 50).filter((key) => keys.includes(key))).toEqual([])
})

test('the seed determines which unusual keys are used', () => {
  const shape = (keys: readonly string[]) => keys.map((key) => key.slice(0, -24))
  expect(shape(oddKeys(source(), 5))).toEqual(shape(oddKeys(source('b'), 5)))
  expect(oddKeys(source(), 99).length).toBeGreaterThan(15)
})

test('odd keys for a header are legal in one', () => {
  expect(
    oddHeaderKeys(source(), 99).filter((key) => !/^[\x21-\x7e][\t\x20-\x7e]*[\x21-\x7e]$/.test(key)),
  ).toEqual([])
})

test('keys that are almost equal have the full length and differ at their end', () => {
  const [one, other] = almostEqual(source())
  expect([one.length, other.length, one.slice(0, -1) === other.slice(0, -1), one === other]).toEqual([
    255,
    255,
    true,
    false,
  ])
})
