/** A service that writes another word than the contract, or than its target file, which may state none. */
import { expect, test } from 'vitest'
import { contractIdentifiers, identifiersOf } from '../../spec/identifiers.ts'
import { faultsNamed } from '../../simulator/index.ts'
import { ConfigurationError } from '../../suites/config/target.ts'
import type { Target } from '../../suites/index.ts'
import { redClauses, simulatedRun } from '../simulated-run.ts'
import { vendors } from './vendors.ts'

function unstated(target: Target): Target {
  const { vendor, identifiers, ...rest } = target
  expect([vendor, identifiers]).toBeDefined()
  return rest
}

const only = ['idempotency-replay/json', 'retries/recovered', 'delivery/test', 'rules/deliveries']

test.for(vendors)('says the word %s once, and judges nothing by another', async (vendor) => {
  const run = simulatedRun({ vendor }, { only }, unstated)
  await expect(run).rejects.toThrow(ConfigurationError)
  await expect(run).rejects.toThrow(`add \`target.vendor: ${vendor}\` to the target file`)
  await expect(run).rejects.toThrow(`x-${vendor}-signature`)
})

test('with a word of their own in replies alone, the clause of replies fails', async () => {
  const identifiers = { ...contractIdentifiers, replayHeader: 'X-Acme-Idempotent-Replay' }
  const run = await simulatedRun({ identifiers }, { only }, unstated)
  expect(redClauses(run)).toEqual(['IDEM-REPLAY-HEADER'])
})

test('with another word in one header of deliveries, the clause of that header fails', async () => {
  const faults = faultsNamed(['event-header-of-another-vendor'])
  const run = await simulatedRun({ faults }, { only }, unstated)
  expect(redClauses(run)).toEqual(['DLV-EVENT-HEADER'])
})

/** Everything that depends on a name, with as little of the suite as shows it. */
const named = [
  'idempotency-replay/json',
  'idempotency-replay/stream',
  'retries/recovered',
  'delivery/test',
  'rules/deliveries',
]

test('a service that says another word than its target file fails the clauses with a name in them', async () => {
  const run = await simulatedRun({ vendor: 'acme' }, { only: named }, (target) => ({
    ...target,
    vendor: 'other',
    identifiers: identifiersOf('other'),
  }))
  expect(redClauses(run)).toEqual(
    expect.arrayContaining([
      'DLV-USER-AGENT',
      'IDEM-REPLAY-HEADER',
      'IDEM-STREAM-REPLAY-HEADER',
      'SIGN-HEADER',
    ]),
  )
})
