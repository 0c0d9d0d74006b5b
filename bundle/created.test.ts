import { expect, test } from 'vitest'
import { createdLine, goneLine, leftOvers, type CreatedState } from './created.ts'

const entry = (id: string): CreatedState => ({
  id,
  what: 'state',
  state: 'chat.paused',
  by: 'control',
  about: {},
})

test('what was created and is not gone is left over, with what was last known of it', () => {
  const ledger = [
    createdLine(entry('a')),
    createdLine({ ...entry('a'), handle: 'h1' }),
    createdLine(entry('b')),
    goneLine('b'),
    createdLine(entry('c')),
  ]
  expect(leftOvers(ledger.join('').split('\n'))).toEqual([{ ...entry('a'), handle: 'h1' }, entry('c')])
})

test('a line that a killed run did not finish is taken for not written', () => {
  const torn = createdLine(entry('b')).slice(0, -20)
  expect(leftOvers([createdLine(entry('a')), torn])).toEqual([entry('a')])
})
