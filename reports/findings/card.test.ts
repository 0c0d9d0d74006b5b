import { expect, test } from 'vitest'
import type { StepResult } from '../../bundle/client-report.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { exchange, finding, runOf } from '../testing/run.testkit.ts'
import { cardText, clientSteps } from './card.ts'
import { evidenceInLog } from './exchanges.ts'

const performance: StepResult = { ended: 'exit', exitCode: 1, reported: [], stdout: '', stderr: '' }

const recordOf = (
  notes: RunRecord['scenarioRuns'][number]['notes'],
  kind: RunRecord['target']['kind'] = 'client',
) => {
  const { record } = runOf([])
  const scenario = { scenario: 'client-a/b', notes, ending: null, crash: null, states: [], stuck: [] }
  return { record: { ...record, target: { ...record.target, kind }, scenarioRuns: [scenario] } }
}

test.for<[string, Partial<StepResult>, string]>([
  ['an exit code', {}, 'turn: ended with exit code 1'],
  ['a signal', { exitCode: null }, 'turn: ended with a signal'],
  ['our timeout', { ended: 'timeout' }, 'turn: stopped at the time limit of the step'],
  ['a driver that exited', { ended: 'lost' }, 'turn: the driver exited'],
  [
    'repeated reports',
    {
      reported: [
        { saw: 'event', event: {} },
        { saw: 'event', event: {} },
        { saw: 'reply', reply: {} },
      ],
    },
    'turn: ended with exit code 1, reported 2 × event, reply',
  ],
  [
    'stderr of several lines',
    { stderr: 'g()\n  ^^^\n\nValueError: no\n' },
    'turn: ended with exit code 1; stderr: g() | ValueError: no',
  ],
])('a line for a step shows %s', ([, change, said]) => {
  const notes = { 'step turn': JSON.stringify({ ...performance, ...change }), other: 'not a step' }
  expect(clientSteps({ scenario: 'client-a/b' }, recordOf(notes))).toEqual([said])
})

test('requests that were not recorded are mentioned, and only for clients', () => {
  const notes = { 'step turn': JSON.stringify(performance), 'not recorded of turn': '7 further requests' }
  const [line] = clientSteps({ scenario: 'client-a/b' }, recordOf(notes))
  expect(line).toBe('turn: ended with exit code 1; not recorded: 7 further requests')
  expect(clientSteps({ scenario: 'client-a/b' }, recordOf(notes, 'staging'))).toEqual([])
})

test('the end of a long stderr is shown', () => {
  const stderr = `${'  File "x.py", in f\n'.repeat(40)}ValueError: no`
  const notes = { 'step turn': JSON.stringify({ ...performance, stderr }) }
  const [line = ''] = clientSteps({ scenario: 'client-a/b' }, recordOf(notes))
  expect(line).toMatch(/ \| ValueError: no$/)
  expect(line.length).toBeLessThan(400)
})

const trace = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
const inLog = (headers: readonly (readonly [string, string])[], isInbound = false) => {
  const { request, response, ...rest } = exchange(1)
  return {
    ...rest,
    request: {
      ...request,
      headers: [...request.headers, ['Traceparent', trace], ...(isInbound ? headers : [])],
    },
    response: response && { ...response, headers },
    ...(isInbound && { inbound: { place: '/hook', targetAt: 0 } }),
  } as const
}

test.for([
  [
    'X-Request-Id',
    [
      ['traceresponse', '00-1'],
      ['x-request-id', 'req_1'],
    ],
    undefined,
    false,
    'req_1',
  ],
  ['X-Correlation-Id', [['X-Correlation-Id', 'c-1']], undefined, false, 'c-1'],
  ['traceresponse', [['traceresponse', '00-1']], undefined, false, '00-1'],
  [
    'a header of the target file',
    [
      ['x-request-id', 'req_1'],
      ['x-acme-id', 'a-1'],
    ],
    'X-Acme-Id',
    false,
    'a-1',
  ],
  ['a header of a delivery', [['x-request-id', 'req_1']], undefined, true, 'req_1'],
] as const)(
  'a failure is found in the log of the server by its traceparent and by %s',
  ([, headers, named, isInbound, requestId]) => {
    const failure = finding({ verdict: 'fail' })
    const { record, journal } = runOf([failure], {}, [inLog(headers, isInbound)])
    const target = { ...record.target, ...(named && { requestIdHeader: named }) }
    const text = cardText(failure, { record: { ...record, target }, journal })
    expect(text).toMatch(new RegExp(`^  log +traceparent ${trace}, request id ${requestId}$`, 'm'))
    // A request that is sent again must not look like this one.
    expect(text.match(/^  curl .*$/m)?.[0] ?? '').not.toContain('raceparent')
    expect(evidenceInLog(failure, journal, target)).toEqual([{ id: 1, trace, requestId }])
  },
)

test('nothing is said of a log where nothing is known of it', () => {
  const failure = finding({ verdict: 'fail' })
  const run = runOf([failure])
  expect(cardText(failure, run)).not.toMatch(/^  log /m)
  expect(evidenceInLog(failure, run.journal, run.record.target)).toEqual([
    { id: 1, trace: null, requestId: null },
  ])
})
