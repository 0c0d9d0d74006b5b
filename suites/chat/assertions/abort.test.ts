import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { abortedRunsOnce, chargedAtMostOnce } from './abort.ts'
import {
  frames,
  jsonAnswer,
  reply,
  streamAnswer,
  token,
  replayHeader,
} from '../../assertions/exchange.testkit.ts'

const json = ['content-type', 'application/json'] as const
const left = (credits_remaining: number, made: Parameters<typeof jsonAnswer>[1] = {}) =>
  jsonAnswer({ ...reply, credits_remaining }, made)
const ran = left(41)
const replayed = left(41, { headers: [json, [replayHeader, 'true']] })
const waits = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409 })
const uncertain = jsonAnswer({ error: 'OUTCOME_UNCERTAIN' }, { status: 409 })
const limited = jsonAnswer({ error: 'slow down' }, { status: 429 })
const gone: Exchange = { ...ran, response: null, failure: { kind: 'aborted', message: 'we left' } }
const cutStream: Exchange = {
  ...jsonAnswer({}),
  failure: { kind: 'aborted', message: 'we left' },
}
const waiting = streamAnswer(': working\n\n', { failure: 'aborted' })
const begun = streamAnswer(`: working\n\n${frames(token('Hel'))}`, { failure: 'aborted' })

describe('a client that went away and asks again', () => {
  test.for([
    ['gets the replay', [gone, waits, replayed, replayed], 'pass'],
    ['gets the first answer', [gone, ran, replayed], 'pass'],
    ['receives OUTCOME_UNCERTAIN', [gone, uncertain, uncertain], 'pass'],
    ['sees a second turn', [gone, ran, jsonAnswer({ ...reply, response: 'again' })], 'fail'],
    ['sees a turn after a stream that had begun', [cutStream, ran], 'fail'],
    ['sees a turn after a stream of tokens', [begun, ran], 'fail'],
    ['sees the first turn after a stream of heartbeats', [waiting, ran], 'pass'],
    ['waits for ever', [gone, waits, waits], 'inconclusive'],
    ['is limited', [gone, limited], 'inconclusive'],
    ['had not gone away at all', [ran, replayed], 'inconclusive'],
  ] as const)('%s', ([, exchanges, expected]) => {
    expect(abortedRunsOnce(exchanges).is).toBe(expected)
  })
})

describe('what such a turn costs', () => {
  const [before, once, twice] = [left(42), left(40), left(39)]
  test.for([
    ['once, seen as a replay', once, [gone, replayed], 'pass'],
    ['once, seen to run', once, [gone, ran], 'pass'],
    ['nothing, uncertain', left(41), [gone, uncertain], 'pass'],
    ['twice, seen as a replay', twice, [gone, replayed], 'fail'],
    ['twice, seen to run', twice, [gone, ran], 'fail'],
    ['twice, uncertain', twice, [gone, uncertain], 'fail'],
    ['something, while it still runs', twice, [gone, waits], 'inconclusive'],
    ['something, though nobody went away', twice, [ran, replayed], 'inconclusive'],
  ] as const)('%s', ([, after, attempts, expected]) => {
    expect(chargedAtMostOnce(before, after, attempts).is).toBe(expected)
  })

  test('the price is that of the turn with the same message, if messages cost different amounts', () => {
    const [short, long] = ['short', 'long'].map((message) => ({ request: { message } }))
    const dear = jsonAnswer({ ...reply, credits_used: 3, credits_remaining: 36 }, long)
    const replayOfDear = left(41, { ...long, headers: [json, [replayHeader, 'true']] })
    const goneDear = { ...gone, request: dear.request }
    expect(chargedAtMostOnce(left(42, short), dear, [goneDear, replayOfDear]).is).toBe('pass')
    expect(chargedAtMostOnce(left(45, short), dear, [goneDear, replayOfDear]).is).toBe('fail')
  })

  test('is not judged where turns cost different amounts and this one was not seen to run', () => {
    const dear = jsonAnswer({ ...reply, credits_used: 3, credits_remaining: 38 })
    expect(chargedAtMostOnce(before, dear, [gone, replayed]).is).toBe('inconclusive')
  })
})
