import { expect, test } from 'vitest'
import { areas, clauses, receiverAreas, type ClauseId } from '../spec/index.ts'
import { receiverScenarios } from './receivers/index.ts'
import { serverScenarios, uncoveredOfReceivers } from './scenarios.ts'

test('scenarios name exchanges, judge something, cost no more turns than requests, and say whom they need', () => {
  const wrong = Object.entries({ ...serverScenarios, ...receiverScenarios }).filter(
    ([, { judge, observe, exchanges, cost, needs = {} }]) =>
      exchanges.length === 0 ||
      Object.keys({ ...judge, ...observe }).length === 0 ||
      cost.turns > cost.requests ||
      ((needs.receiver || needs.event !== undefined) && !needs.session),
  )
  expect(wrong.map(([id]) => id)).toEqual([])
})

test('every clause of receivers has a check, or a written reason why it does not show from outside', () => {
  const judged = new Set(Object.values(receiverScenarios).flatMap(({ judge }) => Object.keys(judge)))
  const own = receiverAreas.flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  expect(own.filter((id) => judged.has(id) === id in uncoveredOfReceivers)).toEqual([])
  const open = Object.keys(uncoveredOfReceivers) as ClauseId[]
  expect(open.filter((id) => clauses[id].observe !== 'inside')).toEqual([])
  expect([...judged].filter((id) => clauses[id as ClauseId].actor !== 'receiver')).toEqual([])
})
