import { expect, test } from 'vitest'
import { holdVariants, unheld } from './variant-tests.ts'

test('every variant is held against the scenarios', () => {
  expect(unheld()).toEqual([])
})

holdVariants('answers')
holdVariants('requests')
