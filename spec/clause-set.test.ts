import { describe, expect, test } from 'vitest'
import { clauseSetLines, compareClauseSets, levelsIn, ownText, type ClauseSetFile } from './clause-set.ts'
import { clauseSets } from './clause-sets/index.ts'
import { clauses } from './clauses/index.ts'

const definition: ClauseSetFile = {
  name: '2027-03',
  base: '2026-11',
  remove: ['IDEM-KEY-ODD'],
  change: { 'AUTH-NO-ECHO': { level: 'must' }, 'RES-JSON': { text: 'A reply is JSON.' } },
  add: { 'IDEM-KEY-KEPT': { level: 'should', text: 'A key is kept.' } },
}
const set = { revision: '2027-03', definition }
const published = levelsIn({ revision: '2026-11' })

test('a set from a file is its base with what it changes', () => {
  const { 'IDEM-KEY-ODD': _, ...others } = published ?? {}
  expect(levelsIn(set)).toEqual({ ...others, 'AUTH-NO-ECHO': 'must', 'IDEM-KEY-KEPT': 'should' })
})

test('the catalogue corrects a published set to demand less, and not what a file says itself', () => {
  const id = 'SSE-ENCODING'
  expect([clauseSets['2026-11'].levels[id], clauses[id].level]).toEqual(['must', 'should'])
  const strict = {
    revision: '2027-03',
    definition: { ...definition, change: { [id]: { level: 'must' } } },
  } as const
  expect([published, levelsIn(set), levelsIn(strict)].map((levels) => levels?.[id])).toEqual([
    'should',
    'should',
    'must',
  ])
  expect(clauseSetLines(strict)).not.toEqual(
    clauseSetLines({ ...strict, definition: { ...definition, change: {} } }),
  )
  expect(Object.entries(published ?? {}).filter(([, level]) => level === 'must').length).toBeGreaterThan(300)
})

test.for([
  { revision: '2020-01' },
  { revision: 'toString' },
  { revision: '2027-03', definition: { name: '2027-03', base: '2020-01' } },
])('nothing is known of %j', (unknown) => {
  expect(levelsIn(unknown)).toBeNull()
  expect(clauseSetLines(unknown)).toBeNull()
})

test.for([
  ['RES-JSON', 'A reply is JSON.'],
  ['IDEM-KEY-KEPT', 'A key is kept.'],
  ['AUTH-NO-ECHO', undefined],
  ['constructor', undefined],
] as const)('what the set says of %s in its own words', ([id, words]) => {
  expect(ownText(set, id)).toEqual(words)
})

describe('the lines of the digest', () => {
  const linesOf = (change: Partial<ClauseSetFile>) =>
    clauseSetLines({ revision: '2027-03', definition: { ...definition, ...change } })

  test('have ids and levels, and behind them what the file says', () => {
    const lines = linesOf({}) ?? []
    expect(lines).toContain('AUTH-NO-ECHO must {"level":"must"}\n')
    expect(lines).toContain('SSE-ENCODING must\n')
    expect(lines).toContain('IDEM-KEY-KEPT should {"level":"should","text":"A key is kept."}\n')
    expect(lines).toEqual(lines.toSorted())
  })

  test.for<[string, Partial<ClauseSetFile>]>([
    ['a removed clause', { remove: [] }],
    ['a level', { change: { 'RES-JSON': { text: 'A reply is JSON.' } } }],
    ['a text', { change: { ...definition.change, 'RES-JSON': { text: 'A reply is XML.' } } }],
    ['an added clause', { add: {} }],
    [
      'who keeps it',
      { add: { 'IDEM-KEY-KEPT': { level: 'should', text: 'A key is kept.', actor: 'library' } } },
    ],
  ])('differ with %s', ([, change]) => {
    expect(linesOf(change)).not.toEqual(linesOf({}))
  })
})

test.for([
  ['2026-11', '2027-03', -1],
  ['2027-03', '2026-11', 1],
  ['2027-03', '2027-03', 0],
  ['2027-03-draft.1', '2027-03', -1],
  ['2027-03', '2027-03-draft.1', 1],
  ['2026-11', '2027-03-draft.1', -1],
  ['2027-03-draft.2', '2027-03-draft.10', -1],
  ['2027-03-draft.1', '2027-03-draft.1', 0],
] as const)('%s beside %s in the order of sets: %i', ([one, other, sign]) => {
  expect(Math.sign(compareClauseSets(one, other))).toBe(sign)
})
