import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areas, clauses, receiverAreas, type ClauseId } from '../../spec/index.ts'
import { receiverScenarios } from './index.ts'
import { uncoveredOfReceivers } from '../scenarios.ts'

const judged = new Set(Object.values(receiverScenarios).flatMap(({ judge }) => Object.keys(judge)))
const own = receiverAreas.flatMap((area) => Object.keys(areas[area]) as ClauseId[])

test('every clause of receivers has a check, or a written reason why not', () => {
  expect(own.filter((id) => judged.has(id) === id in uncoveredOfReceivers)).toEqual([])
})

test('what has a reason does not show from outside', () => {
  for (const id of Object.keys(uncoveredOfReceivers) as ClauseId[]) expect(clauses[id].observe).toBe('inside')
})

test('every check is of a clause that receivers keep', () => {
  expect([...judged].filter((id) => clauses[id as ClauseId].actor !== 'receiver')).toEqual([])
})

test('every file that declares scenarios is in the suite', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder)
    .filter((file) => !/\.test\.ts$|^(forged|receiver)-scenario\.ts$/.test(file))
    .filter((file) =>
      /= (receiverScenario|forgedScenario)\(/.test(readFileSync(new URL(file, folder), 'utf8')),
    )
    .map((file) => `receiver-${file.replace('.ts', '')}`)
  expect(new Set(files)).toEqual(new Set(Object.keys(receiverScenarios).map((id) => id.split('/')[0])))
})

test('every scenario names its exchanges, and plans a request for each at least', () => {
  for (const { exchanges, cost } of Object.values(receiverScenarios)) {
    expect(exchanges.length).toBeGreaterThan(0)
    expect(cost.requests).toBeGreaterThanOrEqual(exchanges.length)
  }
})
