import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { attempt } from '../../assertions/inbound.testkit.ts'
import { noneDelivered } from './events-after.ts'

const at = (id: number, exchange: Exchange): Exchange => ({ ...exchange, id })
const event = 'leads.submit'
const requests = [10, 20, 30].map((id) => at(id, jsonAnswer({})))
const scenario = [at(1, jsonAnswer({})), ...requests, at(40, jsonAnswer({}))]
const came = (id: number, delivery = `whd_${id}`): Exchange => at(id, attempt({ id: delivery }))
const elsewhere = (id: number): Exchange => at(id, attempt({ id: `whd_${id}`, event: 'x', body: {} }))

test.for([
  ['nothing', [], 'pass'],
  ['something after the first only, when other things were due', [came(15)], 'pass'],
  ['something after one of the further ones', [came(15), came(25)], 'pass'],
  ['something after each of the further ones', [came(25), came(35)], 'fail'],
  ['what had come before, once more', [came(5, 'whd_1'), came(25, 'whd_1'), came(35, 'whd_1')], 'pass'],
  ['a sample', [came(25, 'test_1'), came(35, 'test_2')], 'pass'],
  ['another event', [elsewhere(25), elsewhere(35)], 'pass'],
] as const)('of requests that bring nothing about came %s', ([, arrived, expected]) => {
  const kinds = [{ words: 'a replay', requests, isSo: () => true }]
  expect(noneDelivered(kinds, arrived, event, scenario).is).toBe(expected)
})

test('what became something else is held against nobody', () => {
  const kinds = [{ words: 'a replay', requests, isSo: ({ id }: Exchange) => id !== 20 }]
  expect(noneDelivered(kinds, [came(25), came(35)], event, scenario).is).toBe('pass')
})
