import { describe, expect, test } from 'vitest'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { acted, lost, sentTurn, streamOf, told } from './step-result.testkit.ts'
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
    told: readonly ClientReport[],
    is: string,
  ][] = [
    ['an error may be told', [lost()], [error], 'pass'],
    ['no reply may be told', [lost()], [said], 'broken'],
    ['no reply may be told beside an error', [halfJson()], [error, said], 'broken'],
    ['no done may be told', [streamOf(token)], [{ saw: 'event', event: done }], 'broken'],
    ['it may not be told as finished', [streamOf(token)], [{ saw: 'finished' }], 'broken'],
    ['tokens may be told', [streamOf(token)], [{ saw: 'event', event: token }], 'inconclusive'],
    ['an error event may be told', [lost()], [{ saw: 'event', event: { type: 'error' } }], 'pass'],
    ['it may be told as unfinished', [lost()], [{ saw: 'unfinished' }], 'pass'],
    ['nothing has to be told', [lost()], [], 'inconclusive'],
    ['a reply may be told once it came after all', [lost(), sentTurn()], [said], 'not-applicable'],
  ]
  test.for(cases)('%s', ([, sent, lines, is]) => {
    expect(reportsNoReply(sent, told('step', ...lines), 'step')).toMatchObject({ is })
  })
})

describe('of a reply that came', () => {
  const other: ClientReport = { saw: 'reply', reply: { response: 'Hello' } }
  const cases: readonly [name: string, told: readonly ClientReport[], is: string][] = [
    ['its text is told', [said], 'pass'],
    ['its done is told', [{ saw: 'event', event: done }], 'pass'],
    ['no other text is told', [other], 'broken'],
    ['the last that is told counts', [other, said], 'pass'],
    [
      'a reply without its text takes none back',
      [
        { saw: 'event', event: done },
        { saw: 'reply', reply: {} },
      ],
      'pass',
    ],
    ['no error is told', [error], 'broken'],
    ['nothing has to be told', [], 'inconclusive'],
    ['its text does not have to be told', [{ saw: 'reply', reply: {} }], 'inconclusive'],
  ]
  test.for(cases)('%s', ([, lines, is]) => {
    expect(reportsReply([sentTurn()], told('step', ...lines), 'step')).toMatchObject({ is })
  })

  test('a client that crashes on it fails', () => {
    const context = acted({ step: { ended: 'exit', exitCode: 1 } })
    expect(reportsReply([sentTurn()], context, 'step')).toMatchObject({ is: 'broken', got: 'a crash' })
  })
})

test('that no reply is told means something only of who tells of one', () => {
  const judge = () => ({ is: 'pass' }) as const
  expect(whereItReports(told('twin', said), 'twin', judge)).toEqual({ is: 'pass' })
  for (const context of [told('twin', error), told('twin')])
    expect(whereItReports(context, 'twin', judge)).toMatchObject({ is: 'inconclusive' })
})
