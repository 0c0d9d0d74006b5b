import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { quietSince, since, until } from './new-deliveries.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { attempt } from '../../assertions/inbound.testkit.ts'

const at = (id: number, exchange: Exchange): Exchange => ({ ...exchange, id })
const moment = at(10, jsonAnswer({}))
const old = at(5, attempt({ id: 'whd_1' }))
const again = at(15, attempt({ id: 'whd_1' }))
const fresh = at(16, attempt({ id: 'whd_2' }))

test('a duplicate of what came before is nothing new', () => {
  expect(since([old, again, fresh], moment)).toEqual([fresh])
  expect(until([old, again, fresh], moment)).toEqual([old])
})

test.each([
  ['nothing new while the probe hears', [old, again], [fresh], 'pass'],
  ['something new', [old, fresh], [fresh], 'fail'],
  ['nothing before either', [], [fresh], 'inconclusive'],
  ['nothing at the probe', [old], [old], 'inconclusive'],
])('an endpoint that has to be quiet and gets %s', (_, quiet, control, expected) => {
  expect(quietSince(moment, quiet, control, 'nothing').is).toBe(expected)
})

test('what was not taken has no consequences', () => {
  const refused = at(10, jsonAnswer({}, { status: 409 }))
  expect(quietSince(refused, [old, fresh], [fresh], 'nothing').is).toBe('inconclusive')
})
