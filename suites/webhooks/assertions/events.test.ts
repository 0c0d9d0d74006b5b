import { expect, test } from 'vitest'
import { allGot, arrivedOfOther, received, membersSeen, onlySelected } from './events.ts'
import { attempt, creation, sample } from '../../assertions/inbound.testkit.ts'

const event = 'leads.submit'
const lead = attempt()
const other = attempt({ id: 'whd_2', event: 'message.sent', body: { ...sample, eventType: 'message.sent' } })
const asked = attempt({ id: 'test_1' })

test.for([
  ['the event came', [lead], [], 'pass'],
  ['it came late, after a test was asked for', [asked, lead], [asked], 'pass'],
  ['its header is wrong, which is another matter', [attempt({ event: 'x' })], [], 'pass'],
  ['only the test came', [asked], [asked], 'fail'],
  ['another event came', [other], [], 'fail'],
  ['nothing came', [], [asked], 'inconclusive'],
] as const)('of one event: %s', ([, arrived, tests, expected]) => {
  expect(received(arrived, event, tests).is).toBe(expected)
})

test.for([
  ['stays silent until its test', [lead], [asked], 0, 'pass'],
  ['gets the event too', [lead], [attempt({ place: '/b' }), asked], 1, 'fail'],
  ['gets what it has selected', [lead], [other, asked], 1, 'pass'],
  ['is never reached', [lead], [], 0, 'inconclusive'],
  ['stays silent as the first one does', [], [asked], 0, 'inconclusive'],
] as const)('a webhook that has not selected it %s', ([, arrived, silent, before, expected]) => {
  expect(onlySelected(arrived, silent, { event, before }).is).toBe(expected)
})

const own = creation()
const hookOfOther = creation(undefined, 'agent_2')
const strange = attempt({ id: 'whd_2', place: '/b' })
const foreign = attempt({ id: 'whd_3', place: '/b', body: { ...sample, chatbotId: 'agent_2' } })
const anew = attempt({ id: 'whd_4', place: '/b', body: { ...sample, chatbotId: 'agent_2' } })
const nobodys = attempt({ id: 'whd_5', place: '/b', body: { ...sample, chatbotId: 'wh_1' } })
const nobodysAnew = attempt({ id: 'whd_6', place: '/b', body: { ...sample, chatbotId: 'wh_1' } })
const tested = attempt({ id: 'test_2', place: '/b' })
test.for([
  ['nothing but its test', [tested], 0, 0, 'pass'],
  ['the event of the first agent', [strange, tested], 1, 1, 'fail'],
  ['such an event of its own, once', [foreign, tested], 1, 1, 'pass'],
  ['one as of its own each time, as of an agent that hands on', [foreign, anew, tested], 2, 2, 'pass'],
  ['one of nobody each time', [nobodys, nobodysAnew, tested], 2, 2, 'fail'],
  ['nothing at all', [], 0, 0, 'inconclusive'],
] as const)('the webhook of another agent gets %s', ([, elsewhere, acts, before, expected]) => {
  expect(
    arrivedOfOther({ own, other: hookOfOther, arrived: [lead], elsewhere }, { event, acts, before }).is,
  ).toBe(expected)
})

test.for([
  ['both', [[lead], [lead]], 'pass'],
  ['one', [[lead], []], 'fail'],
  ['one, the other something else', [[lead], [other]], 'fail'],
  ['none', [[], []], 'inconclusive'],
] as const)('of two webhooks the event comes to %s', ([, places, expected]) => {
  expect(allGot(places, event).is).toBe(expected)
})

test('the members of a payload are sorted', () => {
  expect(membersSeen([lead], event)).toEqual({
    is: 'observed',
    value: 'leads.submit: conversationId, customerEmail, customerName',
  })
  expect(membersSeen([other], event).is).toBe('inconclusive')
})
