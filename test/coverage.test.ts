import { expect, test } from 'vitest'
import { faults } from '../simulator/index.ts'
import { areas, serverAreas, clauseIds, clauses, type ClauseId } from '../spec/index.ts'
import { mistakeOf, mistakesInScenarios, usualMistakes } from '../spec/mistakes.ts'
import { clientScenarios } from '../suites/clients/index.ts'
import { receiverScenarios, serverScenarios, uncovered } from '../suites/index.ts'

const covered = new Set(Object.values(serverScenarios).flatMap((scenario) => Object.keys(scenario.judge)))
const broken = new Set(Object.values<{ breaks: readonly ClauseId[] }>(faults).flatMap(({ breaks }) => breaks))
const serverClauses = serverAreas.flatMap((area) => Object.keys(areas[area]))

test('every clause of a server has either a check or a written reason why not', () => {
  const wrong = serverClauses.filter((id) => covered.has(id) === id in uncovered)
  expect(wrong, 'add a check of these clauses, or a reason in suites/uncovered.ts, not both').toEqual([])
})

test('every check is of a clause that the service keeps, as it answers or as it delivers', () => {
  const kept = clauseIds.filter((id) => ['server', 'sender'].includes(clauses[id].actor))
  expect([...covered].filter((id) => !kept.includes(id as ClauseId))).toEqual([])
})

test('every scenario with a frequent mistake of its own exists', () => {
  const scenarios = { ...clientScenarios, ...receiverScenarios }
  expect(Object.keys(mistakesInScenarios).filter((id) => !(id in scenarios))).toEqual([])
})

test('every fault breaks a clause that has a check', () => {
  const missed = Object.entries<{ breaks: readonly ClauseId[] }>(faults).flatMap(([fault, { breaks }]) => [
    ...breaks.filter((clause) => !covered.has(clause)).map((clause) => `${fault} breaks ${clause}`),
    ...(breaks.length === 0 ? [`${fault} breaks nothing`] : []),
  ])
  expect(missed, 'add a check of these clauses: a reason is not enough').toEqual([])
})

test('every MUST clause of the server that a fault breaks has a fix', () => {
  const bare = [...broken].filter((id) => clauses[id].level === 'must' && mistakeOf(id) === null)
  expect(bare).toEqual([])
  const isUsed = (fitting: string): boolean => [...broken].some((id) => new RegExp(fitting).test(id))
  expect(Object.keys(usualMistakes).filter((one) => !isUsed(one))).toEqual([])
})
