import { expect, test } from 'vitest'
import { jsonAnswer, reply } from './exchange.double.ts'
import { progressOnlyWhileRunning } from './race.ts'
import { replayHeader } from './reply.ts'

const ran = jsonAnswer(reply)
const replayed = jsonAnswer(reply, { headers: [...(ran.response?.headers ?? []), [replayHeader, 'true']] })
const waits = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409 })
const refused = jsonAnswer({ error: 'no' }, { status: 401 })
const tooLate = { ...waits, sentAt: 5, endedAt: 6 }

test.for([
  ['is said while the turn runs', [ran, waits, replayed], 'pass'],
  ['is said after the reply', [ran, tooLate], 'broken'],
  ['need not be said by a turn that was over at once', [ran, replayed], 'not-applicable'],
  ['is not shown by requests that were refused', [ran, refused], 'inconclusive'],
] as const)('in progress %s', ([, exchanges, expected]) => {
  expect(progressOnlyWhileRunning(exchanges).is).toBe(expected)
})
