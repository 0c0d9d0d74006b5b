/** Approvals of a target whose held operation declares nothing that shows how often it was done. */
import { expect, test } from 'vitest'
import type { Target } from '../../suites/index.ts'
import { operationScenarios } from '../../suites/operations/index.ts'
import { redClauses, simulatedRun } from '../simulated-run.ts'

const scenarios = Object.fromEntries(
  Object.entries(operationScenarios).filter(([id]) => id.startsWith('approvals/')),
)

function uncounted(target: Target): Target {
  const operations = target.fixtures.operations.map(({ effect: _effect, ...operation }) => operation)
  return { ...target, fixtures: { ...target.fixtures, operations } }
}

test('without an effect the approvals are read and show what was decided, and only counts are left out', async () => {
  const run = await simulatedRun({}, { scenarios }, uncounted)
  const verdicts = Object.fromEntries(run.record.findings.map(({ check, verdict }) => [check, verdict]))
  expect(redClauses(run)).toEqual([])
  expect(verdicts).toEqual({
    'approvals/approved/APPR-HELD': 'inconclusive',
    'approvals/approved/APPR-APPROVED': 'inconclusive',
    'approvals/approved/APPR-READ': 'pass',
    'approvals/approved/GAP-APPROVAL-CONTINUES': 'inconclusive',
    'approvals/approved/GAP-APPROVAL-FIELDS': 'observed',
    'approvals/rejected/APPR-HELD': 'inconclusive',
    'approvals/rejected/APPR-APPROVED': 'inconclusive',
    'approvals/rejected/APPR-REJECTED': 'inconclusive',
    'approvals/rejected/APPR-DECISION-SHOWN': 'pass',
    'approvals/rejected/APPR-READ': 'pass',
    'approvals/rejected/GAP-APPROVAL-STATES': 'observed',
    'approvals/rejected/RCPT-FAILED-CODE': 'pass',
    'approvals/rejected/RCPT-FAILED-RESOLUTION': 'pass',
    'approvals/unknown/APPR-READ': 'pass',
    'approvals/unknown/APPR-UNKNOWN': 'pass',
  })
})

test('a fault of what is read is found without an effect', async () => {
  const run = await simulatedRun({ faults: ['approval-stays-pending'] }, { scenarios }, uncounted)
  expect(redClauses(run)).toEqual(['APPR-DECISION-SHOWN'])
})
