import { expect, test } from 'vitest'
import type { RunRecord } from '../../bundle/record.ts'
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

const { target, plan, run } = base

test.each<[string, Partial<RunRecord>, words: string, canBePartial: boolean]>([
  ['a whole run', {}, '', true],
  ['a nonconformant one', { conformance: 'nonconformant' }, '', true],
  ['the simulator', { target: { ...target, kind: 'simulator' } }, 'the target is the simulator', false],
  ['a client', { target: { ...target, kind: 'client' } }, 'it is of a client', false],
  ['a target without a version', { target }, 'implementation.version', false],
  ['a selection', leftOut('selection'), 'without --only', false],
  ['a shard', { plan: { ...plan, shard: { number: 1, of: 2, plan: 'ab' } } }, 'touchstone merge', false],
  ['a smoke run', leftOut('profile'), 'smoke profile, MUST clauses not tested', true],
  ['an interrupted run', { run: { ...run, lifecycle: 'interrupted' } }, 'not finished', true],
  ['a run without a result for some clauses', { conformance: 'partial' }, '--allow-partial', true],
])('%s', (_, over, words, canBePartial) => {
  const refusal = (allowPartial: boolean) => certificationRefusal({ ...released, ...over }, { allowPartial })

  expect(refusal(false) ?? '').toContain(words)
  expect(refusal(false) === null).toBe(words === '')
  expect(refusal(true) === null).toBe(canBePartial)
})
