import { expect, test } from 'vitest'
import { fingerprint, fingerprintSeen } from './fingerprint.ts'

test.for([
  ['numbers', 'exchanges 10, 11', 'exchanges 7, 128'],
  ['texts', '`response`: "You said: garden."', '`response`: "You said: hotel and \\"river\\"."'],
  ['texts in JSON', '{"token":"a b","type":"token"}', '{"token":"c","type":"token"}'],
  [
    'where it was cut',
    'one object: {"response":"You said: garden city.","conversation_id":"…',
    'one object: {"response":"You said: a wint.","conversa…',
  ],
] as const)('a failure is known again although there differ %s', ([, one, other]) => {
  expect(fingerprint('a', one)).toBe(fingerprint('a', other))
})

test('a member that is missing is the same whatever it should have been', () => {
  expect(fingerprint('`id`: uuid', 'no `id`')).toBe(fingerprint('`id`: string', 'no `id`'))
})

test.for([
  ['what was expected', ['status 200', 'b'], ['status 2xx', 'b']],
  ['what was got', ['a', 'no such header'], ['a', 'two of that header']],
  ['a code', ['a', '{"error":"RATE_LIMITED"}'], ['a', '{"error":"NOT_FOUND"}']],
] as const)('another failure is not taken for it, distinguished by %s', ([, one, other]) => {
  expect(fingerprint(one[0], one[1])).not.toBe(fingerprint(other[0], other[1]))
})

test.for([
  ['a status', 'refused with 403', 'refused with 404'],
  ['a number', 'it shows 4 characters of the secret', 'it shows 8 characters of the secret'],
  ['a text', 'approved: "approved"', 'approved: "granted"'],
] as const)('an observation is another one with %s', ([, one, other]) => {
  expect(fingerprintSeen(one)).not.toBe(fingerprintSeen(other))
})
