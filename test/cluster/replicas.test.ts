import { expect, test } from 'vitest'
import { faults } from '../../simulator/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

const only = ['replicas/*']

test.for([2, 3])('%i replicas that know the same keys pass every scenario', async (replicas) => {
  const run = await simulatedRun({ replicas }, { only })
  expect(troubles(run)).toEqual([])
  const used = new Set(run.journal.map(({ request }) => request.replica ?? 'the first'))
  expect(used.size).toBe(replicas)
})

test('replicas that know keys of their own only are found by the scenarios about replicas alone', async () => {
  // In all others the kill matrix shows it.
  const only = ['replicas/*', 'idempotency-*/*', 'conversation/*']
  const run = await simulatedRun({ faults: ['replica-forgets'] }, { only })
  expect(redClauses(run)).toEqual([...faults['replica-forgets'].breaks].sort())
  const red = run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  expect(red.filter(({ scenario }) => !scenario.startsWith('replicas/'))).toEqual([])
})

test('without a further base address nothing of it is planned', async () => {
  const run = await simulatedRun({}, { only: ['IDEM-REPLAY-HEADER'] })
  expect(run.record.plan.checks.filter(({ scenario }) => scenario.startsWith('replicas/'))).toEqual([])
})
