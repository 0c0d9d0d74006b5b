/** What copies get wrong that say they are the library of the contract. */
import { fails, differs, place, type BrokenClient } from './patch.ts'

export const brokenLibraries: Readonly<Record<string, BrokenClient>> = {
  'is no library, and has the members of the wire': {
    ...fails('LIB-CAMEL-CASE LIB-STREAM-CAMEL-CASE'),
    as: 'library',
  },
  'is a library that wraps what it reads': {
    ...fails('LIB-BILLING LIB-CAMEL-CASE LIB-STREAM-CAMEL-CASE', [
      'result: await billing(service, task.read, task.limit)',
      'result: { data: await billing(service, task.read, task.limit) }',
    ]),
    as: 'library',
  },
  'is a library with another header for the idempotency key': {
    ...fails('LIB-CAMEL-CASE LIB-KEY-HEADER LIB-STREAM-CAMEL-CASE', [
      place.key,
      place.key.replace("'idempotency-key'", "'x-idempotency-key'"),
    ]),
    as: 'library',
  },
  'is a library that sends a turn without an idempotency key': {
    ...fails('LIB-CAMEL-CASE LIB-KEY-REQUIRED LIB-STREAM-CAMEL-CASE', [
      "if (idempotencyKey === undefined) throw new Failure({ code: 'IDEMPOTENCY_KEY_REQUIRED' })",
      '',
    ]),
    as: 'library',
  },
  'is a library that hands on neither presentations nor how long to wait nor events but tokens': {
    ...differs(
      {
        'LIB-CAMEL-CASE': 'fail',
        'LIB-PRESENTATION': 'fail',
        'LIB-RATE-SECONDS': 'fail',
        'LIB-STREAM': 'fail',
        'LIB-RATE-WAIT': 'warn',
      },
      [
        'reply: await chat(service, task) })',
        'reply: { ...(await chat(service, task)), presentation: undefined } })',
      ],
      ["...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),", ''],
      ["report({ saw: 'event', event })", "if (event.type === 'token') report({ saw: 'event', event })"],
    ),
    as: 'library',
  },
}
