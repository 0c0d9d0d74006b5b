import { expect, it } from 'vitest'
import type { RunRecord } from '../bundle/record.ts'
import { runOf } from '../testing/run.testkit.ts'
import { certificationRefusal } from './statement.ts'

const { record: base } = runOf([])
const released: RunRecord = {
  ...base,
  conformance: 'conformant',
  target: { ...base.target, version: '4.2.1' },
}
const leftOut = (by: 'selection' | 'profile'): Partial<RunRecord> => ({
  conformance: 'partial',
  run: { ...base.run, profile: by === 'profile' ? 'smoke' : 'standard' },
  plan: { ...base.plan, leftOut: [{ by, checks: ['a/b/C'] }] },
})

const saying = (words: string): string => expect.stringContaining(words) as string

it.each<[string, Partial<RunRecord>, string | null, string | null]>([
  ['a whole run', {}, null, null],
  ['a nonconformant one', { conformance: 'nonconformant' }, null, null],
  [
    'the simulator',
    { target: { ...released.target, kind: 'simulator' } },
    saying('the target is the simulator'),
    saying('the target is the simulator'),
  ],
  [
    'a client',
    { target: { ...base.target, kind: 'client' } },
    saying('it is of a client'),
    saying('it is of a client'),
  ],
  [
    'a target without a version',
    { target: base.target },
    saying('implementation.version'),
    saying('implementation.version'),
  ],
  ['a selection', leftOut('selection'), saying('without --only'), saying('without --only')],
  [
    'a shard',
    { plan: { ...base.plan, shard: { number: 1, of: 2, plan: 'ab' } } },
    saying('touchstone merge'),
    saying('touchstone merge'),
  ],
  ['a smoke run', leftOut('profile'), saying('smoke profile, MUST clauses not tested'), null],
  ['an interrupted run', { run: { ...base.run, lifecycle: 'interrupted' } }, saying('not finished'), null],
  ['a run without a result for some clauses', { conformance: 'partial' }, saying('--allow-partial'), null],
])('%s', (_, over, refusal, withPartial) => {
  const record = { ...released, ...over }

  expect(certificationRefusal(record, { allowPartial: false })).toEqual(refusal)
  expect(certificationRefusal(record, { allowPartial: true })).toEqual(withPartial)
})
