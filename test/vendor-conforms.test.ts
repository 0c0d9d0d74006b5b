/** The whole suite under another vendor's word: a conforming service conforms, and one that says another word does not. */
import { describe, expect, test } from 'vitest'
import { identifiersOf } from '../spec/index.ts'
import { redClauses, simulatedRun, troubles } from './simulated-run.ts'
import { vendors } from './vendors.ts'

describe.concurrent('the simulator', () => {
  test.for(vendors)('conforms under the word %s, with no more requests', async (vendor, { expect }) => {
    const run = await simulatedRun({ vendor })
    expect(troubles(run)).toEqual([])
    expect([run.record.conformance, run.record.target.vendor]).toEqual(['conformant', vendor])
    expect(run.record.target.identifiers).toEqual(identifiersOf(vendor))
    expect(run.record.used.requests).toBeLessThanOrEqual(2_320)
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
