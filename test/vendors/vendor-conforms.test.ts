/** The suites under another vendor's word: a conforming service conforms, and one that says another word does not. */
import { describe, expect, test } from 'vitest'
import { identifiersOf } from '../../spec/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'
import { vendors } from './vendors.ts'

describe.concurrent('the simulator', () => {
  test.for(vendors)('has no trouble in a smoke run under the word %s', async (vendor, { expect }) => {
    const run = await simulatedRun({ vendor }, {}, (target) => ({ ...target, profile: 'smoke' }))
    expect(troubles(run)).toEqual([])
    expect([run.record.exitCode, run.record.target.vendor]).toEqual([0, vendor])
    expect(run.record.target.identifiers).toEqual(identifiersOf(vendor))
  })

  test('conforms under a word with a hyphen, with no more requests', async ({ expect }) => {
    const run = await simulatedRun({ vendor: 'acme-corp' })
    expect(troubles(run)).toEqual([])
    expect(run.record.conformance).toBe('conformant')
    expect(run.record.used.requests).toBeLessThanOrEqual(2_500)
  })
})

/** Everything that depends on a name, with as little of the suite as shows it. */
const only = ['idempotency-replay/json', 'idempotency-replay/stream', 'delivery/live', 'delivery/test']

test('a service that says another word than its target file fails the clauses with a name in them', async () => {
  const run = await simulatedRun({ vendor: 'acme' }, { only }, (target) => ({
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
