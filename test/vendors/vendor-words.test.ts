/** What a vendor says of its own server: how much faster its clock is, and what it has. */
import { expect, test } from 'vitest'
import { faultsNamed } from '../../simulator/index.ts'
import { planRun } from '../../suites/runner/plan/plan.ts'
import { serverScenarios, type Target } from '../../suites/index.ts'
import { redClauses, simulatedRun } from '../simulated-run.ts'

const only = ['attempts/answered', 'retries/recovered']

test.for([
  ['answer-hardly-awaited', 0.3, ['ATT-WAIT-LOWER']],
  ['answer-awaited-too-long', 3, ['ATT-WAIT-UPPER']],
] as const)('%s is right where timing.scale is %d, and wrong elsewhere', async ([fault, scale, wrong]) => {
  const faults = faultsNamed([fault])
  const scaled = (target: Target) => ({ ...target, timing: { ...target.timing, scale } })
  expect(redClauses(await simulatedRun({ faults }, { only }))).toEqual(wrong)
  expect(redClauses(await simulatedRun({ faults }, { only }, scaled))).toEqual([])
})

test('a plan promises what can run, where little is declared', async () => {
  const why = { provide: 'none', why: 'not here' } as const
  let promised: readonly string[] = []
  const bare = (target: Target): Target => {
    const states = Object.fromEntries(Object.keys(target.states).map((state) => [state, why]))
    const own = { ...target, dialect: { execution: { input: '' } }, states } as const
    const { scenarios } = planRun(serverScenarios, own, chosen)
    promised = scenarios.filter((one) => one.outlook === null && !one.scenario.rule).map(({ id }) => id)
    return own
  }
  const chosen = ['UPL-*', 'BILL-*', 'IDEM-UNCERTAIN-*', 'PLAN-*', 'SCOPE-READ-AGENTS', 'CRED-*']
  const { record } = await simulatedRun({}, { only: chosen }, bare)
  const tested = record.findings.filter(({ verdict }) => verdict !== 'not-exercised')
  expect(promised.filter((id) => !tested.some(({ scenario }) => scenario === id))).toEqual([])
})
