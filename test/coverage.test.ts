import { expect, test } from 'vitest'
import { faults } from '../simulator/index.ts'
import { areas, serverAreas, clauseIds, clauses, type ClauseId } from '../spec/index.ts'
import { mistakeOf, mistakesInScenarios, usualMistakes } from '../spec/mistakes.ts'
import { clientScenarios } from '../suites/clients/index.ts'
import { serverScenarios, uncovered } from '../suites/index.ts'

const covered = new Set(Object.values(serverScenarios).flatMap((scenario) => Object.keys(scenario.judge)))
const serverClauses = serverAreas.flatMap((area) => Object.keys(areas[area]))

test('every clause of a server has a check, or a written reason why not', () => {
  const bare = serverClauses.filter((id) => !covered.has(id) && !(id in uncovered))
  expect(bare, 'add a check of these clauses, or a reason in suites/uncovered.ts').toEqual([])
})

test('a reason stands only where there is no check', () => {
  expect(Object.keys(uncovered).filter((id) => covered.has(id))).toEqual([])
})

/** Who is asked in a run of the suite: the service, as it answers and as it delivers. */
const asked: readonly string[] = ['server', 'sender']

test('every check names a clause that exists, kept by the service', () => {
  const known = new Set<string>(clauseIds)
  expect([...covered].filter((id) => !known.has(id))).toEqual([])
  expect(clauseIds.filter((id) => covered.has(id) && !asked.includes(clauses[id].actor))).toEqual([])
})

test('every scenario with a frequent mistake of its own exists', () => {
  expect(Object.keys(mistakesInScenarios).filter((id) => !(id in clientScenarios))).toEqual([])
})

test('every fault breaks a clause that has a check', () => {
  const missed = Object.entries<{ breaks: readonly ClauseId[] }>(faults).flatMap(([fault, { breaks }]) => [
    ...breaks.filter((clause) => !covered.has(clause)).map((clause) => `${fault} breaks ${clause}`),
    ...(breaks.length === 0 ? [`${fault} breaks nothing`] : []),
  ])
  expect(missed, 'add a check of these clauses: a reason is not enough').toEqual([])
})

test('every MUST clause of the server that a fault breaks has a fix', () => {
  const broken = new Set(
    Object.values<{ breaks: readonly ClauseId[] }>(faults).flatMap(({ breaks }) => breaks),
  )
  const bare = [...broken].filter((id) => clauses[id].level === 'must' && mistakeOf(id) === null)
  expect(bare).toEqual([])
  const unused = Object.keys(usualMistakes).filter(
    (fitting) => ![...broken].some((id) => new RegExp(fitting).test(id)),
  )
  expect(unused).toEqual([])
})
