import { expect, test } from 'vitest'
import { environment, wholeFile } from '../file/file.testkit.ts'
import { parseTarget } from '../file/file.ts'

const list = 'list: { id: notes.list, input: { limit: 1 }, receipt: completed }'
const note = 'id: notes.create, input: { text: a }, receipt: completed'
const file = (operation: string, more = ''): string =>
  `${wholeFile}\nfixtures: { operations: { ${list}, note: { ${operation} } } }\n${more}`

const refused: Readonly<Record<string, readonly [operation: string, more?: string]>> = {
  'fixtures.operations.note.effect.operation is "lists", which is not under fixtures.operations; did you mean "list"?':
    [`${note}, write: true, effect: { operation: lists, count: /data/count }`],
  'fixtures.operations.note.effect belongs to a write; add `write: true`, or take it out': [
    `${note}, effect: { operation: list, count: /data/count }`,
  ],
  'fixtures.operations.note.doneWithinSeconds belongs to an operation whose receipt is accepted, and this one is completed; take it out':
    [`${note}, write: true, doneWithinSeconds: 5`],
  'fixtures.operations.note.fresh.1 is /title, where the input has nothing; point at what is there': [
    `${note}, fresh: [/text, /title]`,
  ],
  'dialect.routes.plans is "plan", which is not under fixtures.operations; known are list, note': [
    note,
    'dialect: { routes: { plans: plan } }',
  ],
}

test.for(Object.entries(refused))('it is refused: %s', ([words, [operation, more]]) => {
  expect(() => parseTarget(file(operation, more), 't.yaml', environment)).toThrow(words)
})

test('it says where a time is declared in which work is done', () => {
  const operation = 'id: bake, input: {}, receipt: accepted, write: true, doneWithinSeconds: 5'
  const { fixtures, doneWithinPlaces } = parseTarget(file(operation), 't.yaml', environment)
  expect(fixtures.operations[1]).toMatchObject({ name: 'note', doneWithinSeconds: 5 })
  expect(doneWithinPlaces).toEqual({ note: expect.stringMatching(/^t\.yaml:\d+$/) })
})
