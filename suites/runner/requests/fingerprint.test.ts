import { describe, expect, test } from 'vitest'
import { fingerprint, fingerprintSeen } from './fingerprint.ts'

const uuid = '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11'

describe('a failure is known again although there differ', () => {
  test.for([
    ['ids', `turn ${uuid}`, `turn ${uuid.replace('0b', '1c')}`],
    ['keys', 'key touchstone-abc123', 'key touchstone-ffe99'],
    ['numbers', 'exchanges 10, 11', 'exchanges 7, 128'],
    ['texts', '`response`: "You said: garden."', '`response`: "You said: hotel and \\"river\\"."'],
    ['texts in JSON', '{"token":"a b","type":"token"}', '{"token":"c","type":"token"}'],
    [
      'where it was cut',
      'one object: {"response":"You said: garden city.","conversation_id":"…',
      'one object: {"response":"You said: a wint.","conversa…',
    ],
    [
      'what was cut without a mark',
      'data: {"type":"done","response":"You said: gar',
      'data: {"type":"done","response":"You said: hotel',
    ],
  ] as const)('%s', ([, one, other]) => {
    expect(fingerprint('a', one)).toBe(fingerprint('a', other))
  })
})

describe('another failure is not taken for it, distinguished by', () => {
  test.for([
    ['what was expected', ['status 200', 'b'], ['status 2xx', 'b']],
    ['what was got', ['a', 'no such header'], ['a', 'two of that header']],
    ['a code', ['a', '{"error":"RATE_LIMITED"}'], ['a', '{"error":"NOT_FOUND"}']],
    ['a type of event', ['a', '{"type":"done","x":"y"}'], ['a', '{"type":"token","x":"y"}']],
    ['the name of a member', ['a', '{"response":"x"}'], ['a', '{"reply":"x"}']],
    ['the form of a value', ['a', '`response`: "x"'], ['a', '`response`: [{"text":"x"}]']],
  ] as const)('%s', ([, one, other]) => {
    expect(fingerprint(one[0], one[1])).not.toBe(fingerprint(other[0], other[1]))
  })
})

test('is twelve hex digits', () => {
  expect(fingerprint('status 200', 'status 500')).toMatch(/^[0-9a-f]{12}$/)
})

describe('an observation', () => {
  test.for([
    ['ids', `task ${uuid}: done`, `task ${uuid.replace('0b', '1c')}: done`],
    ['keys', 'key touchstone-abc123 taken', 'key touchstone-ffe99 taken'],
  ] as const)('is known again although there differ %s', ([, one, other]) => {
    expect(fingerprintSeen(one)).toBe(fingerprintSeen(other))
  })

  test.for([
    ['a status', 'refused with 403', 'refused with 404'],
    ['a number', 'it shows 4 characters of the secret', 'it shows 8 characters of the secret'],
    ['a text', 'approved: "approved"', 'approved: "granted"'],
  ] as const)('is another one with %s', ([, one, other]) => {
    expect(fingerprintSeen(one)).not.toBe(fingerprintSeen(other))
  })
})
