/** What copies get wrong that say they are the library of the contract. */
import { place, type BrokenClient } from './patch.ts'

export const brokenLibraries: Readonly<Record<string, BrokenClient>> = {
  'is no library, and has the members of the wire': {
    as: 'library',
    patches: [],
    found: { 'LIB-CAMEL-CASE': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
  'is a library that wraps what it reads': {
    as: 'library',
    patches: [
      [
        'result: await billing(service, task.read, task.limit)',
        'result: { data: await billing(service, task.read, task.limit) }',
      ],
    ],
    found: { 'LIB-BILLING': 'fail', 'LIB-CAMEL-CASE': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
  'is a library with another header for the idempotency key': {
    as: 'library',
    patches: [[place.key, place.key.replace("'idempotency-key'", "'x-idempotency-key'")]],
    found: { 'LIB-CAMEL-CASE': 'fail', 'LIB-KEY-HEADER': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
  'is a library that sends a turn without an idempotency key': {
    as: 'library',
    patches: [
      ["if (idempotencyKey === undefined) throw new Failure({ code: 'IDEMPOTENCY_KEY_REQUIRED' })", ''],
    ],
    found: { 'LIB-CAMEL-CASE': 'fail', 'LIB-KEY-REQUIRED': 'fail', 'LIB-STREAM-CAMEL-CASE': 'fail' },
  },
  'is a library that hands on neither presentations nor how long to wait nor events but tokens': {
    as: 'library',
    patches: [
      [
        'reply: await chat(service, task) })',
        'reply: { ...(await chat(service, task)), presentation: undefined } })',
      ],
      ["...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),", ''],
      ["report({ saw: 'event', event })", "if (event.type === 'token') report({ saw: 'event', event })"],
    ],
    found: {
      'LIB-CAMEL-CASE': 'fail',
      'LIB-PRESENTATION': 'fail',
      'LIB-RATE-SECONDS': 'fail',
      'LIB-STREAM': 'fail',
      'LIB-RATE-WAIT': 'warn',
    },
  },
}
