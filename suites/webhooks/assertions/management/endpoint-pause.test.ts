import { expect, test } from 'vitest'
import {
  holdsBackNoOther,
  endpointPaused,
  pausedEventsSeen,
  pauseEnds,
  pauseSeen,
  staysActive,
} from './endpoint-pause.ts'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { attempt, creation } from '../../../assertions/inbound.testkit.ts'

const failing = [attempt({ status: 500 })]
const healthy = [attempt({ place: '/b' })]
const hook = creation()
const list = (is_active: boolean) => jsonAnswer({ webhooks: [{ id: 'wh_1', is_active }] })
const scenario = { failing, healthy, hook, list: list(true) }
const seen = { pausedAfter: 5, failed: 5, resumedAfter: 10, waited: 10, heldAfter: 0, afterwards: 0 }
const unpaused = { ...seen, pausedAfter: 0, failed: 25 }
const endless = { ...seen, resumedAfter: 0 }

test.for([
  ['comes', seen, 'pass'],
  ['does not come after many failures, whose number is open', unpaused, 'warn'],
  ['does not come after few', { ...unpaused, failed: 4 }, 'inconclusive'],
] as const)('a pause %s', ([, notes, expected]) => {
  expect(endpointPaused(failing, healthy, notes).is).toBe(expected)
})

test('silence of both endpoints is no pause', () => {
  expect(endpointPaused(failing, [], seen).is).toBe('inconclusive')
  expect(endpointPaused([], healthy, seen).is).toBe('inconclusive')
})

test.for([
  ['ends', seen, 'pass'],
  ['does not end within an hour', { ...endless, waited: 65 }, 'warn'],
  ['does not end within the time there was', { ...endless, waited: 15 }, 'inconclusive'],
  ['was none', unpaused, 'inconclusive'],
] as const)('a pause %s', ([, notes, expected]) => {
  expect(pauseEnds(scenario, notes).is).toBe(expected)
})

const held = { ...unpaused, failed: 5, heldAfter: 5, afterwards: 7 }
test.for([
  ['gets every event', seen, 'pass'],
  ['gets none, and all once the other one fails no more', held, 'warn'],
  ['gets some, and some afterwards', { ...held, afterwards: 4 }, 'inconclusive'],
] as const)('beside an endpoint that fails another one %s', ([, notes, expected]) => {
  expect(holdsBackNoOther(failing, healthy, notes).is).toBe(expected)
})

test('a pause leaves the webhook active', () => {
  expect(staysActive(scenario, seen).is).toBe('pass')
  expect(staysActive({ ...scenario, list: list(false) }, seen).is).toBe('fail')
  expect(staysActive({ ...scenario, list: list(false) }, unpaused).is).toBe('inconclusive')
  expect(pauseEnds({ ...scenario, list: list(false) }, endless).is).toBe('inconclusive')
})

test('the numbers and the dropped events are recorded', () => {
  expect(pauseSeen(failing, healthy, seen)).toMatchObject({
    value: 'after 5 failed deliveries, for about 10 minutes',
  })
  const kept = { ...seen, emitted: 1 }
  expect(pausedEventsSeen(failing, healthy, kept)).toMatchObject({ value: 'kept, and delivered afterwards' })
  expect(pausedEventsSeen(failing, healthy, { ...kept, emitted: 3 })).toMatchObject({
    value: 'not delivered afterwards',
  })
})
