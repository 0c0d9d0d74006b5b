import { expect, test } from 'vitest'
import { allGot, got, membersSeen, onlySelected } from './events.ts'
import { attempt, sample } from './inbound.double.ts'

const event = 'leads.submit'
const lead = attempt()
const other = attempt({ id: 'whd_2', event: 'message.sent', body: { ...sample, eventType: 'message.sent' } })
const asked = attempt({ id: 'test_1' })

test.for([
  ['the event came', [lead], [], 'pass'],
  ['it came late, after a test was asked for', [asked, lead], [asked], 'pass'],
  ['its header is wrong, which is another matter', [attempt({ event: 'x' })], [], 'pass'],
  ['only the test came', [asked], [asked], 'broken'],
  ['another event came', [other], [], 'broken'],
  ['nothing came', [], [asked], 'inconclusive'],
] as const)('of one event: %s', ([, arrived, tests, expected]) => {
  expect(got(arrived, event, tests).is).toBe(expected)
})

test.for([
  ['stays silent until its test', [lead], [asked], 0, 'pass'],
  ['gets the event too', [lead], [attempt({ place: '/b' }), asked], 1, 'broken'],
  ['gets what it has selected', [lead], [other, asked], 1, 'pass'],
  ['is never reached', [lead], [], 0, 'inconclusive'],
  ['stays silent as the first one does', [], [asked], 0, 'inconclusive'],
] as const)('a webhook that has not selected it %s', ([, arrived, silent, before, expected]) => {
  expect(onlySelected(arrived, silent, { event, before }).is).toBe(expected)
})

test.for([
  ['both', [[lead], [lead]], 'pass'],
  ['one', [[lead], []], 'broken'],
  ['one, the other something else', [[lead], [other]], 'broken'],
  ['none', [[], []], 'inconclusive'],
] as const)('of two webhooks the event comes to %s', ([, places, expected]) => {
  expect(allGot(places, event).is).toBe(expected)
})

test('the members of a payload are told in one order', () => {
  expect(membersSeen([lead], event)).toEqual({
    is: 'observed',
    value: 'leads.submit: conversationId, customerEmail, customerName',
  })
  expect(membersSeen([other], event).is).toBe('inconclusive')
})
