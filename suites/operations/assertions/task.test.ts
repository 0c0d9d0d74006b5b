import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer, answer } from '../../assertions/exchange.testkit.ts'
import {
  everyRead,
  hasKnownState,
  hasState,
  readableTask,
  staysFinal,
  tasksApart,
  unknownTask,
} from './task.ts'

const at = (path: string, exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, method: 'GET', path },
})
const task = (state: unknown, status = 200) => at('/api/v1/tasks/a', jsonAnswer({ state }, { status }))
const is = (judgement: { is: string }) => judgement.is

describe('one read', () => {
  test.for([
    ['a known state', task('queued'), ['pass', 'pass', 'pass']],
    ['a word of its own', task('done'), ['pass', 'pass', 'fail']],
    ['a known word in capitals', task('QUEUED'), ['pass', 'pass', 'fail']],
    ['a number', task(3), ['pass', 'fail', 'inconclusive']],
    ['no state', at('/', jsonAnswer({ id: 'a' })), ['pass', 'fail', 'inconclusive']],
    [
      'a state inside something',
      at('/', jsonAnswer({ task: { state: 'queued' } })),
      ['pass', 'inconclusive', 'inconclusive'],
    ],
    ['404', task('queued', 404), ['fail', 'inconclusive', 'inconclusive']],
    ['429', task('queued', 429), ['inconclusive', 'inconclusive', 'inconclusive']],
    ['no content type', answer('{"state":"queued"}'), ['pass', 'pass', 'pass']],
    [
      'text',
      answer('{"state":"queued"}', { headers: [['content-type', 'text/plain']] }),
      ['fail', 'inconclusive', 'inconclusive'],
    ],
  ] as const)('of %s', ([, read, expected]) => {
    const judged = [readableTask(read), hasState(read, {}), hasKnownState(read, {})]
    expect(judged.map(is)).toEqual(expected)
  })

  test('has its state where the target declares it', () => {
    const read = jsonAnswer({ task: { phase: 'running' } })
    expect(is(hasKnownState(read, { task: { state: '/task/phase' } }))).toBe('pass')
  })

  test('that we broke off is not part of what is judged', () => {
    expect(is(everyRead([task('queued'), answer('{', { failure: 'aborted' })], readableTask))).toBe('pass')
    expect(is(everyRead([answer('{', { failure: 'aborted' })], readableTask))).toBe('inconclusive')
  })
})

const read =
  (path: string, state: string, status = 200) =>
  () =>
    at(path, jsonAnswer({ state }, { status }))

describe('a final state', () => {
  test.for([
    ['is read again', [read('/a', 'queued'), read('/a', 'failed'), read('/a', 'failed')], 'pass'],
    ['comes after any order', ['input_required', 'queued', 'completed', 'completed'], 'pass'],
    ['is left', ['completed', 'completed', 'running'], 'fail'],
    ['gives way to another', ['completed', 'failed'], 'fail'],
    ['is read once', ['queued', 'completed'], 'inconclusive'],
    ['never comes', ['queued', 'running', 'running'], 'inconclusive'],
    ['is that of its own task alone', [read('/a', 'failed'), read('/b', 'queued')], 'inconclusive'],
    ['of another task is left', [read('/a', 'failed'), read('/b', 'failed'), read('/a', 'queued')], 'fail'],
    [
      'is not changed by a refusal',
      [read('/a', 'failed'), read('/a', 'queued', 503), read('/a', 'failed')],
      'pass',
    ],
  ] as const)('%s', ([, history, expected]) => {
    const reads = history.map((one) => (typeof one === 'string' ? read('/a', one)() : one()))
    expect(is(staysFinal(reads, {}))).toBe(expected)
  })
})

test.for([
  ['404', task('completed', 404), 'pass'],
  ['a success without a state', at('/', jsonAnswer({ error: 'none' })), 'pass'],
  ['a success with one', task('completed'), 'fail'],
  ['a word that is none', task('unknown'), 'fail'],
  ['500', task('completed', 500), 'inconclusive'],
  ['402', task('completed', 402), 'inconclusive'],
] as const)('of a task that does not exist: %s', ([, stranger, expected]) => {
  expect(is(unknownTask(stranger, {}))).toBe(expected)
})

test.for<[string, readonly [path: string, id: string][], Judgement['is']]>([
  [
    'two of two operations',
    [
      ['a', 't-1'],
      ['b', 't-2'],
    ],
    'pass',
  ],
  [
    'one of one operation, which came again',
    [
      ['a', 't-1'],
      ['a', 't-1'],
    ],
    'pass',
  ],
  [
    'one of two operations',
    [
      ['a', 't-1'],
      ['b', 't-1'],
    ],
    'warn',
  ],
])('tasks of receipts: %s', ([, begun, expected]) => {
  const receipts = begun.map(([path, id]) => {
    const receipt = jsonAnswer({ status: 'accepted', task_id: id }, { status: 202 })
    return { ...receipt, request: { ...receipt.request, path } }
  })
  expect(tasksApart(receipts, {}).is).toBe(expected)
})
