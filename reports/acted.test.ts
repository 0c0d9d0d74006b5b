import { expect, test } from 'vitest'
import type { Performance } from './bundle/client-report.ts'
import type { RunRecord } from './bundle/record.ts'
import { acted } from './acted.ts'
import { runOf } from './run.testkit.ts'

const performance: Performance = { ended: 'exit', exitCode: 1, told: [], stdout: '', stderr: '' }

const recordOf = (
  notes: RunRecord['scenarioRuns'][number]['notes'],
  kind: RunRecord['target']['kind'] = 'client',
) => {
  const { record } = runOf([])
  const scenario = { scenario: 'client-a/b', notes, ending: null, crash: null, states: [], stuck: [] }
  return { record: { ...record, target: { ...record.target, kind }, scenarioRuns: [scenario] } }
}

test.for<[string, Partial<Performance>, string]>([
  ['an exit code', {}, 'turn: ended with exit code 1'],
  ['a signal', { exitCode: null }, 'turn: ended with a signal'],
  ['our timeout', { ended: 'timeout' }, 'turn: was ended, as it took longer than an act may'],
  ['a driver that left', { ended: 'lost' }, 'turn: went away'],
  ['words', { stderr: 'no such host\n' }, 'turn: ended with exit code 1; on stderr: no such host'],
  [
    'what was told',
    { ended: 'done', told: [{ saw: 'finished' }] },
    'turn: said that it was done, told finished',
  ],
  [
    'what was told many times in a row',
    {
      told: [
        { saw: 'event', event: {} },
        { saw: 'event', event: {} },
        { saw: 'reply', reply: {} },
      ],
    },
    'turn: ended with exit code 1, told 2 × event, reply',
  ],
  [
    'words of several lines',
    { stderr: 'g()\n  ^^^\n\nValueError: no\n' },
    'turn: ended with exit code 1; on stderr: g() | ValueError: no',
  ],
])('an act is told of with %s', ([, change, said]) => {
  const notes = { 'act turn': JSON.stringify({ ...performance, ...change }), other: 'no act' }
  expect(acted({ scenario: 'client-a/b' }, recordOf(notes))).toEqual([said])
})

test('what was not kept is told of, and of no service anything', () => {
  const notes = { 'act turn': JSON.stringify(performance), 'not kept of turn': '7 further requests' }
  const [line] = acted({ scenario: 'client-a/b' }, recordOf(notes))
  expect(line).toBe('turn: ended with exit code 1; not kept: 7 further requests')
  expect(acted({ scenario: 'client-a/b' }, recordOf(notes, 'staging'))).toEqual([])
})

test('the last words of a long scenario are not cut off', () => {
  const stderr = `${'  File "x.py", in f\n'.repeat(40)}ValueError: no`
  const notes = { 'act turn': JSON.stringify({ ...performance, stderr }) }
  const [line = ''] = acted({ scenario: 'client-a/b' }, recordOf(notes))
  expect(line).toMatch(/ \| ValueError: no$/)
  expect(line.length).toBeLessThan(400)
})
