import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { areaOf, clauses, judgedAreas, type ClauseId, type Level } from '../index.ts'
import { clauseSets, newestRevision } from './index.ts'

/** What a set promised and the catalogue no longer keeps. */
function brokenPromises(
  levels: Readonly<Record<string, Level>>,
  catalogue: Readonly<Record<string, { level: Level }>>,
): readonly string[] {
  return Object.entries(levels).flatMap(([id, level]) => {
    const row = catalogue[id]
    if (!row) return [`${id} is gone: put it back, or publish what takes its place under another id`]
    return level === 'should' && row.level === 'must' ? [`${id} is a must now: give the must its own id`] : []
  })
}

describe.for(Object.entries(clauseSets))('the published set %s', ([, { levels, digest }]) => {
  test('has lost no clause, and none became harder to keep', () => {
    expect(brokenPromises(levels, clauses)).toEqual([])
  })

  test('is what was published', () => {
    const lines = Object.entries(levels).map(([id, level]) => `${id} ${level}\n`)
    expect(createHash('sha256').update(lines.sort().join('')).digest('hex')).toBe(digest)
  })

  test('holds clauses that have a suite', () => {
    const areas: readonly string[] = judgedAreas
    const others = Object.keys(levels).filter((id) => !areas.includes(areaOf[id as ClauseId]))
    expect(others).toEqual([])
    expect(Object.keys(levels).length).toBeGreaterThan(150)
  })
})

test('a clause that vanishes, or that rises from should to must, breaks what a set promised', () => {
  const levels = { A: 'must', B: 'should', C: 'must', D: 'should' } as const
  const catalogue = { B: { level: 'must' }, C: { level: 'should' }, D: { level: 'should' } } as const
  expect(brokenPromises(levels, catalogue)).toEqual([
    'A is gone: put it back, or publish what takes its place under another id',
    'B is a must now: give the must its own id',
  ])
})

test('the newest revision is the last', () => {
  expect(Object.keys(clauseSets).toSorted().at(-1)).toBe(newestRevision)
})
