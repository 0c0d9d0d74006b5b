/** The verdict on a task that is never read, by what its server does, and how many requests it costs. */
import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { operationScenarios } from '../../suites/operations/index.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { line, simulatedRun } from '../simulated-run.ts'

const asked = { scenarios: operationScenarios, only: ['task-unread/*'] }
const mismatch = (states: string): string =>
  'not-exercised: state-mismatch: the target file declares `fixtures.operations.report.doneWithinSeconds: 5`, ' +
  `but its task, read for the first time after 6.5 s, was ${states}; declare a longer time, or take it out`

test.for<[what: string, options: SimulatorOptions, said: string, requests: number]>([
  ['goes on by itself', {}, 'pass', 6],
  ['is done at once', { variants: ['task-at-its-end-at-once'] }, 'pass', 5],
  ['needs input', { variants: ['report-needs-input'] }, 'pass', 6],
  ['is slow', { variants: ['task-slow'] }, mismatch('running'), 6],
  ['takes minutes', { variants: ['task-of-minutes'] }, mismatch('queued'), 6],
  ['ends late, in one move', { variants: ['task-late-all-at-once'] }, mismatch('queued'), 6],
  ['is shown from a cache', { variants: ['task-shown-from-a-cache'] }, mismatch('queued → cancelled'), 6],
  [
    'moves with its reads',
    { faults: ['task-moves-only-when-read'] },
    'fail: expected a final state or `input_required` after 6.5 s without a read: got no progress in 6.5 s, then queued → running → cancelled in 5 reads; the same of another task after 13 s',
    12,
  ],
])('where work %s', async ([, options, said, requests]) => {
  const run = await simulatedRun(options, { ...asked, clock: realClock() })
  expect(run.record.findings.map(line)).toEqual([`task-unread/unread/TASK-CONTINUES: ${said}`])
  expect(run.journal.filter(({ scenario }) => scenario === 'task-unread/unread')).toHaveLength(requests)
})
