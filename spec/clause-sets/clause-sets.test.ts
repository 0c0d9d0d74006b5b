import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  areaOf,
  clauses,
  clauseSetLines,
  judgedAreas,
  levelsIn,
  type ClauseId,
  type Level,
} from '../index.ts'
import { clauseSets, newestRevision } from './index.ts'

describe.for(Object.entries(clauseSets))('the published set %s', ([revision, { levels, digest }]) => {
  test('has lost no clause, and none became harder to keep, though a later set may raise it', () => {
    const counted = levelsIn({ revision }) ?? {}
    expect(Object.keys(counted).filter((id) => Object.hasOwn(clauses, id))).toEqual(Object.keys(levels))
    const softer = Object.entries<Level>(levels).filter(([, level]) => level === 'should')
    expect(softer.filter(([id]) => counted[id] !== 'should')).toEqual([])
  })

  test('is what was published', () => {
    const lines = clauseSetLines({ revision }) ?? []
    expect(createHash('sha256').update(lines.join('')).digest('hex')).toBe(digest)
  })

  test('holds clauses that have a suite', () => {
    const areas: readonly string[] = judgedAreas
    const others = Object.keys(levels).filter((id) => !areas.includes(areaOf[id as ClauseId]))
    expect(others).toEqual([])
    expect(Object.keys(levels).length).toBeGreaterThan(150)
  })
})

test('the newest revision is the last', () => {
  expect(Object.keys(clauseSets).toSorted().at(-1)).toBe(newestRevision)
})
