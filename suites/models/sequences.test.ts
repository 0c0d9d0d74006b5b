import { expect, test } from 'vitest'
import { exploredOf, sequenceNotesOf, type Explored } from './sequences.ts'

const clean: Explored = { runs: 20, requests: 140, failure: null }
const failed: Explored = {
  runs: 3,
  requests: 17,
  failure: { from: 40, to: 42, shrinking: 12, reproduced: { times: 4, of: 5 } },
}

test.each([clean, failed])('what was explored is read from the notes as it was written there', (explored) => {
  expect(exploredOf({ text: 'other', ...sequenceNotesOf(explored) })).toEqual(explored)
})

test('notes of other scenarios have no sequences', () => {
  expect(exploredOf({ text: 'other' })).toBeNull()
})
