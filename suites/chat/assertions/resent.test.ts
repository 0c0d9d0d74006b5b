/** A reused connection was closed, so a request was sent twice: the outcome of the first sending is unknown. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { status } from '../../assertions/answer.ts'
import { balanced } from '../../assertions/credits.ts'
import { certainlyInFlight, refusedInFlight } from './flight.ts'
import { jsonAnswer, reply, replayHeader } from '../../assertions/exchange.testkit.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { oneRun, progressOnlyWhileRunning } from './race.ts'

const json = ['content-type', 'application/json'] as const
const refusal = (code: string, status = 409) => jsonAnswer({ error: code }, { status })
const fresh = jsonAnswer(reply)
const replay = jsonAnswer(reply, { headers: [json, [replayHeader, 'true']] })
const resent = (exchange: Exchange): Exchange => ({ ...exchange, resent: true })
const late = (exchange: Exchange): Exchange => ({ ...exchange, sentAt: 50, endedAt: 51 })

describe('a request that went out twice', () => {
  it.each([
    ['and was answered with the replay of itself', replay, 'inconclusive'],
    ['and met itself in flight', refusal('REQUEST_IN_PROGRESS'), 'inconclusive'],
    ['and met itself uncertain', refusal('OUTCOME_UNCERTAIN'), 'inconclusive'],
    ['and ran', fresh, 'pass'],
    ['and met another message', refusal('IDEMPOTENCY_CONFLICT'), 'fail'],
    ['and is not allowed', refusal('NO', 403), 'fail'],
  ])('%s', (_, exchange, expected) => {
    expect(ran(resent(exchange)).is).toBe(expected)
  })

  it('is judged as ever where the first sending makes no difference', () => {
    expect(status(resent(refusal('NO', 400)), 400).is).toBe('pass')
    expect(status(refusal('REQUEST_IN_PROGRESS'), 200).is).toBe('fail')
  })

  it('may replay a turn that only the first sending ran', () => {
    expect(replayed(fresh, resent(replay)).is).toBe('inconclusive')
    expect(oneRun([resent(replay), replay, refusal('REQUEST_IN_PROGRESS')]).is).toBe('inconclusive')
    expect(oneRun([replay, replay]).is).toBe('fail')
  })

  it('may keep its key in flight after its own answer', () => {
    const waits = late(refusal('REQUEST_IN_PROGRESS'))
    expect(progressOnlyWhileRunning([resent(refusal('REQUEST_IN_PROGRESS')), waits]).is).toBe('pass')
    expect(progressOnlyWhileRunning([fresh, waits]).is).toBe('fail')
  })

  it('is no probe of a turn that runs', () => {
    const slow = { ...fresh, sentAt: 0, endedAt: 500 }
    const quick = late(replay)
    expect(certainlyInFlight(slow, late(replay), quick).is).toBe('pass')
    expect(refusedInFlight(slow, late(replay), quick).is).toBe('fail')
    expect(refusedInFlight(slow, resent(late(replay)), quick).is).toBe('inconclusive')
  })

  it('leaves it open what was charged', () => {
    const next = jsonAnswer({ ...reply, credits_remaining: 39 })
    expect(balanced(fresh, next).is).toBe('fail')
    expect(balanced(fresh, next, [fresh]).is).toBe('pass')
    expect(balanced(fresh, next, [resent(replay)]).is).toBe('inconclusive')
    expect(balanced(fresh, next, [jsonAnswer({}, { failure: 'timeout' })]).is).toBe('inconclusive')
  })
})
