/** Operations of targets that declare less: what can be searched for is found, and only what cannot be is left out. */
import { expect, test } from 'vitest'
import type { Interpretations } from '../../spec/index.ts'
import type { Target } from '../../suites/index.ts'
import { operationScenarios } from '../../suites/operations/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

const others: Partial<Interpretations> = {
  'GAP-DISCOVERY-SHAPE': 'bare',
  'GAP-EXECUTION-BODY': 'bare',
  'GAP-RECEIPT-SHAPE': 'nested',
  'GAP-RECEIPT-STATUS': 'always',
  'GAP-TASK-FIELDS': 'receipt',
  'GAP-APPROVAL-FIELDS': 'receipt',
  'GAP-APPROVAL-CONTINUES': 'again',
  'GAP-OPERATION-REFUSAL': 'receipt',
}

/** With nothing said of where anything stands about operations: what can be searched has to be found. */
function withoutOperationsDialect(target: Target): Target {
  const { rateHeaders, log } = target.dialect
  return { ...target, dialect: { ...(rateHeaders && { rateHeaders }), ...(log && { log }) } }
}

test.concurrent.for([{}, others])('without a dialect a search finds it under %o', async (interpretations) => {
  const run = await simulatedRun(
    { interpretations },
    { scenarios: operationScenarios },
    withoutOperationsDialect,
  )
  const undeclared =
    /: nothing says .*; declare `dialect\.|: none of these reads is declared$|declare `dialect\.design/
  expect(troubles(run).filter((trouble) => !undeclared.test(trouble))).toEqual([])
  expect(run.record.findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(60)
})

const approvals = Object.fromEntries(
  Object.entries(operationScenarios).filter(([id]) => id.startsWith('approvals/')),
)

function uncounted(target: Target): Target {
  const operations = target.fixtures.operations.map(({ effect: _effect, ...operation }) => operation)
  return { ...target, fixtures: { ...target.fixtures, operations } }
}

test('without an effect approvals are read and show what was decided, and only counts are left out', async () => {
  const run = await simulatedRun({}, { scenarios: approvals }, uncounted)
  expect(redClauses(run)).toEqual([])
  const left = run.record.findings.filter(({ verdict }) => verdict === 'inconclusive')
  expect(new Set(left.map(({ subject }) => subject))).toEqual(
    new Set(['APPR-HELD', 'APPR-APPROVED', 'GAP-APPROVAL-CONTINUES', 'APPR-REJECTED']),
  )
})

test('a fault of what is read is found without an effect', async () => {
  const run = await simulatedRun({ faults: ['approval-stays-pending'] }, { scenarios: approvals }, uncounted)
  expect(redClauses(run)).toEqual(['APPR-DECISION-SHOWN'])
})

test('three tasks for one key are found without an effect', async () => {
  const scenarios = { 'tasks/retried': operationScenarios['tasks/retried'] }
  const run = await simulatedRun(
    { faults: ['accepted-begun-again'] },
    { scenarios: scenarios as typeof operationScenarios },
    uncounted,
  )
  expect(redClauses(run)).toEqual(['EXEC-RETRY-ONE-RUN'])
})
