import { expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import { attempt, creation, secret } from '../../../assertions/inbound.testkit.ts'
import { keepsItsOwn, reservedSeen } from './reserved-headers.ts'

const control = { creation: creation(), arrived: [attempt({ id: 'test_0' })] }
const taken = creation('second')
const refusal: Exchange = { ...taken, response: { ...(taken.response ?? never()), status: 422 } }
const own = attempt({ id: 'test_1', key: 'second' })

function never(): never {
  throw new Error('the double has a response')
}

test.for([
  ['refused', [refusal, refusal], [], 'pass'],
  ['passed over', [taken], [own], 'pass'],
  ['sometimes refused', [refusal, taken], [own], 'pass'],
  [
    'sent beside that of the service',
    [taken],
    [attempt({ id: 'test_1', key: 'second', headers: [['x-service-event', 'forged']] })],
    'fail',
  ],
  ['sent instead', [taken], [attempt({ id: 'forged', key: 'second' })], 'fail'],
  [
    'sent as the signature',
    [taken],
    [attempt({ id: 'test_1', signature: `sha256=${'0'.repeat(64)}` })],
    'fail',
  ],
  ['taken, and nothing comes', [taken], [], 'inconclusive'],
] as const)('a custom header with a name of the service is %s', ([, creations, arrived, expected]) => {
  expect(keepsItsOwn(creations, arrived, control).is).toBe(expected)
})

test('where the control does not come as it should, nothing is judged', () => {
  const bad = { ...control, arrived: [attempt({ id: 'whd_0', key: secret })] }
  expect(keepsItsOwn([taken], [own], bad).is).toBe('inconclusive')
  expect(keepsItsOwn([taken], [own], { ...control, arrived: [] }).is).toBe('inconclusive')
})

test('the result of the webhook is recorded', () => {
  expect(reservedSeen([refusal], control.arrived)).toMatchObject({ value: 'refused' })
  expect(reservedSeen([taken], control.arrived)).toMatchObject({ value: 'passed over' })
  expect(reservedSeen([taken], []).is).toBe('inconclusive')
})
