import { expect, test } from 'vitest'
import { clientCalled } from '../../clients/subject.ts'
import { clientScenariosFor } from '../../clients/index.ts'
import { planClient } from '../drivers/client.ts'
import { receiverScenarios } from '../../receivers/index.ts'
import { planReceiver } from '../drivers/receiver.ts'
import { receiverAt } from '../../receivers/subject.ts'
import type { Plan } from '../../../reports/bundle/record.ts'
import { serverScenarios } from '../../scenarios.ts'
import { toolOf } from './opening.ts'
import { planDigest, planRun, type Scenarios } from './plan.ts'
import { targetDouble } from '../service.testkit.ts'

const server = (only?: readonly string[], change = {}): [Plan, Scenarios] => [
  planRun(serverScenarios, { ...targetDouble(), ...change }, only).plan,
  serverScenarios,
]
const receiver = receiverAt('http://localhost:1/hooks', 'a secret of some length')
const client = clientCalled('app', { as: 'client' })

const plans: Readonly<Record<string, readonly [() => [Plan, Scenarios], readonly string[]]>> = {
  'a standard run': [() => server(), ['profile', 'not-declared']],
  'an exhaustive run': [() => server([], { profile: 'exhaustive' }), ['not-declared']],
  'a smoke run': [() => server([], { profile: 'smoke' }), ['profile', 'not-declared']],
  'a run of a clause': [() => server(['IDEM-REPLAY-HEADER']), ['profile', 'selection', 'not-declared']],
  'a run whose patterns match everything': [() => server(['*']), ['profile', 'not-declared']],
  'a run of a receiver': [() => [planReceiver(receiver).plan, receiverScenarios], []],
  'some of a receiver': [
    () => [planReceiver(receiver, ['receiver-genuine/*']).plan, receiverScenarios],
    ['selection'],
  ],
  'a run of a client': [() => [planClient(client).plan, clientScenariosFor('client')], []],
  'some of a client': [
    () => [planClient(client, ['client-chat/*']).plan, clientScenariosFor('client')],
    ['selection'],
  ],
}

test.for(Object.entries(plans))(
  'the plan of %s says of every check whether it is in it, or why not',
  ([, [make, reasons]]) => {
    const [{ checks, leftOut }, scenarios] = make()
    const all = [...checks.map(({ check }) => check), ...leftOut.flatMap((one) => one.checks)]
    expect(leftOut.map(({ by }) => by).toSorted()).toEqual(reasons.toSorted())
    expect(planDigest(all)).toBe(toolOf('1.0.0', scenarios).suite)
  },
)
