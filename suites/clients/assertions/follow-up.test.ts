import { expect, test } from 'vitest'
import type { Context } from '../../scenario/scenario.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { notFinishedEarly, readBeforeFinished, polledToFinalState } from './follow-up.ts'
import { stepNote } from './step-result.ts'
import { approvalId, taskId } from '../execution/scripted-replies.ts'
import type { StepResult, ClientReport } from '../../../reports/bundle/client-report.ts'

/** How a step went, as the engine notes it. */
function went(reported: readonly ClientReport[], ended: StepResult['ended'] = 'exit'): Context {
  const result: StepResult = { ended, exitCode: 0, reported: reported, stdout: '', stderr: '' }
  return { dialect: {}, notes: { [stepNote('step')]: JSON.stringify(result) } }
}

function read(what: 'tasks' | 'approvals', id: string, body: object, status = 200): Exchange {
  const made = jsonAnswer(body, { status })
  return { ...made, request: { ...made.request, method: 'GET', path: `/api/v1/${what}/${id}` } }
}

const through = (...states: readonly string[]): readonly Exchange[] =>
  states.map((state) => read('tasks', taskId, { state }))

const finished: ClientReport = { saw: 'finished' }
const unfinished: ClientReport = { saw: 'unfinished' }

/** What is said of the reads of a task: whether it was waited for, and whether it counted as finished too soon. */
const courses: readonly (readonly [string, readonly string[], readonly ClientReport[], string, string])[] = [
  ['to its end', ['queued', 'running', 'completed'], [finished], 'pass', 'pass'],
  ['to its end, of which nothing is reported', ['queued', 'failed'], [], 'pass', 'pass'],
  ['to its end, and once more to be sure', ['queued', 'cancelled', 'cancelled'], [], 'pass', 'pass'],
  ['on and on', ['queued', ...Array<string>(6).fill('completed')], [finished], 'fail', 'pass'],
  ['not at all', [], [finished], 'fail', 'fail'],
  ['once, and reported as finished', ['queued'], [finished], 'fail', 'fail'],
  ['until it needs input', ['running', 'input_required'], [finished], 'fail', 'fail'],
  ['until a state that is not known', ['running', 'archiving'], [], 'fail', 'inconclusive'],
  ['once, and reported as unfinished', ['queued'], [unfinished], 'inconclusive', 'pass'],
  ['once, and reported as an error', ['queued'], [{ saw: 'error', error: {} }], 'inconclusive', 'pass'],
  ['at its end', ['completed'], [finished], 'pass', 'inconclusive'],
  [
    'to its end, in a language of capitals',
    ['in_progress', 'completed'],
    [{ saw: 'finished', task: { State: 'COMPLETED' } }],
    'pass',
    'pass',
  ],
  [
    'to its end, but reported while it ran, in capitals',
    ['input_required', 'completed'],
    [{ saw: 'finished', task: { State: 'InputRequired' } }],
    'pass',
    'fail',
  ],
  [
    'to its end, but reported while it ran',
    ['running', 'completed'],
    [{ saw: 'finished', task: { state: 'running' } }],
    'pass',
    'fail',
  ],
]

test.for(courses)('a task that is read %s', ([, states, reported, waits, notDone]) => {
  const reads = through(...states)
  const context = went(reported)
  expect([
    polledToFinalState(reads, context, 'step').is,
    notFinishedEarly(reads, context, 'step').is,
  ]).toEqual([waits, notDone])
})

test('a client that still reads when its time is up is not held to the end', () => {
  expect(polledToFinalState(through('queued'), went([], 'timeout'), 'step').is).toBe('inconclusive')
})

test('reads of another task, and reads that were refused, are none of this one', () => {
  const others = [
    read('tasks', 'task_other', { state: 'completed' }),
    read('tasks', taskId, { state: 'completed' }, 404),
  ]
  expect(polledToFinalState(others, went([finished]), 'step').is).toBe('fail')
  expect(notFinishedEarly(others, went([finished]), 'step').is).toBe('fail')
})

const approval = read('approvals', approvalId, { state: 'pending' })

test.for([
  ['reported as finished after a read', [approval], [finished], 'pass'],
  ['read, and nothing reported', [approval], [], 'pass'],
  ['reported as finished without a read', [], [finished], 'fail'],
  ['reported as finished after a read of another', [read('approvals', 'appr_other', {})], [finished], 'fail'],
  ['reported as unfinished without a read', [], [unfinished], 'inconclusive'],
  ['left alone', [], [], 'inconclusive'],
] as const)('held work that is %s', ([, reads, reported, is]) => {
  expect(readBeforeFinished(reads, went(reported), 'step').is).toBe(is)
})
