import { describe, expect, test } from 'vitest'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { acted, lost, sentTurn, streamOf, reporting } from './step-result.testkit.ts'
import type { ClientReport } from '../../../reports/bundle/client-report.ts'
import { hasCompleteReply, reportsNoReply, reportsReply, whereItReports } from './reported-reply.ts'

const token = { type: 'token', token: 'Hello' }
const done = { type: 'done', ...reply }
const said: ClientReport = { saw: 'reply', reply: { response: 'Hello there', conversationId: 'c' } }
const error: ClientReport = { saw: 'error', error: { status: 503 } }
const halfJson = (): Exchange => jsonAnswer(reply, { failure: 'reset' })

describe('an answer is whole', () => {
  const cases: readonly [name: string, Exchange, whole: boolean][] = [
    ['as JSON', sentTurn(), true],
    ['as a stream with done', streamOf(token, done), true],
    ['not as a refusal', sentTurn({ status: 503 }), false],
    ['not where it broke off', halfJson(), false],
    ['not where nothing came', lost(), false],
    ['not as a stream without done', streamOf(token), false],
    ['not as a stream with an error before done', streamOf({ type: 'error', error: 'x' }, done), false],
  ]
  test.for(cases)('%s', ([, exchange, whole]) => {
    expect(hasCompleteReply(exchange)).toBe(whole)
  })
})

describe('of a turn without a reply', () => {
  const cases: readonly [
    name: string,
    sent: readonly Exchange[],
    reports: readonly ClientReport[],
    is: string,
  ][] = [
    ['an error may be reported', [lost()], [error], 'pass'],
    ['no reply may be reported', [lost()], [said], 'fail'],
    ['no reply may be reported beside an error', [halfJson()], [error, said], 'fail'],
    ['no done may be reported', [streamOf(token)], [{ saw: 'event', event: done }], 'fail'],
    ['it may not be reported as finished', [streamOf(token)], [{ saw: 'finished' }], 'fail'],
    ['tokens may be reported', [streamOf(token)], [{ saw: 'event', event: token }], 'inconclusive'],
    ['an error event may be reported', [lost()], [{ saw: 'event', event: { type: 'error' } }], 'pass'],
    ['it may be reported as unfinished', [lost()], [{ saw: 'unfinished' }], 'pass'],
    ['nothing has to be reported', [lost()], [], 'inconclusive'],
    ['a reply may be reported once it came after all', [lost(), sentTurn()], [said], 'not-applicable'],
  ]
  test.for(cases)('%s', ([, sent, lines, is]) => {
    expect(reportsNoReply(sent, reporting('step', ...lines), 'step')).toMatchObject({ is })
  })
})

describe('of a reply that came', () => {
  const other: ClientReport = { saw: 'reply', reply: { response: 'Hello' } }
  const cases: readonly [name: string, reports: readonly ClientReport[], is: string][] = [
    ['its text is reported', [said], 'pass'],
    ['its done is reported', [{ saw: 'event', event: done }], 'pass'],
    ['no other text is reported', [other], 'fail'],
    ['the last that is reported counts', [other, said], 'pass'],
    [
      'a reply without its text takes none back',
      [
        { saw: 'event', event: done },
        { saw: 'reply', reply: {} },
      ],
      'pass',
    ],
    ['no error is reported', [error], 'fail'],
    ['nothing has to be reported', [], 'inconclusive'],
    ['its text does not have to be reported', [{ saw: 'reply', reply: {} }], 'inconclusive'],
  ]
  test.for(cases)('%s', ([, lines, is]) => {
    expect(reportsReply([sentTurn()], reporting('step', ...lines), 'step')).toMatchObject({ is })
  })

  test('a client that crashes on it fails', () => {
    const context = acted({ step: { ended: 'exit', exitCode: 1 } })
    expect(reportsReply([sentTurn()], context, 'step')).toMatchObject({ is: 'fail', got: 'a crash' })
  })
})

test('that no reply is reported counts only for a client that reports replies', () => {
  const judge = () => ({ is: 'pass' }) as const
  expect(whereItReports(reporting('twin', said), 'twin', judge)).toEqual({ is: 'pass' })
  for (const context of [reporting('twin', error), reporting('twin')])
    expect(whereItReports(context, 'twin', judge)).toMatchObject({ is: 'inconclusive' })
})
