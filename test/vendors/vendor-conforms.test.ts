/** The suites under another vendor's word: a conforming service conforms, and one that says another word does not. */
import { expect, test } from 'vitest'
import { identifiersOf } from '../../spec/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

test('the simulator conforms under a word with a hyphen', async () => {
  const run = await simulatedRun({ vendor: 'acme-corp' }, {}, (target) => ({ ...target, profile: 'smoke' }))
  expect(troubles(run)).toEqual([])
  expect([run.record.exitCode, run.record.target.vendor]).toEqual([0, 'acme-corp'])
  expect(run.record.target.identifiers).toEqual(identifiersOf('acme-corp'))
})

/** Everything that depends on a name, with as little of the suite as shows it. */
const only = [
  'idempotency-replay/json',
  'idempotency-replay/stream',
  'delivery/live',
  'delivery/test',
  'rules/deliveries',
]

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
