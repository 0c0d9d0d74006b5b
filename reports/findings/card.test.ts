import { expect, test } from 'vitest'
import type { StepResult } from '../../bundle/client-report.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { runOf } from '../testing/run.testkit.ts'
import { clientSteps } from './card.ts'

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
