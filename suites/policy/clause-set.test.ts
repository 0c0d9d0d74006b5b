import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../bundle/record.ts'
import { findingOf } from '../../bundle/testing/finding.testkit.ts'
import { clauseSets, newestRevision, type ClauseLevels } from '../../spec/index.ts'
import schema from '../config/schema.json' with { type: 'json' }
import { atLevel, isProvisional } from './clause-set-file.ts'

test('a target file may ask for each published set, and editors know them', () => {
  const { contract } = schema.properties
  expect(contract).toMatchObject({ enum: Object.keys(clauseSets), default: newestRevision })
})

const must = { 'IDEM-REPLAY-HEADER': 'must' } as const
const should = { 'IDEM-REPLAY-HEADER': 'should' } as const
const at = (verdict: Verdict, level: Finding['level'], more = {}): Finding =>
  findingOf({ subject: 'IDEM-REPLAY-HEADER', verdict, level, ...more })
const softened = at('warn', 'should', { softened: true })

test.for<[string, Finding, ClauseLevels, Finding]>([
  ['a failure of a MUST that is a SHOULD', at('fail', 'must'), should, softened],
  ['and a MUST again', softened, must, at('fail', 'must')],
  ['a failure that the set does not know: as in the catalogue', softened, {}, at('fail', 'must')],
  ['a pass', at('pass', 'must'), should, at('pass', 'should')],
  ['an error', at('error', 'should'), must, at('error', 'must')],
])('a finding at the level of its clause in a set %s', ([, before, counted, after]) => {
  expect(atLevel(before, counted)).toEqual(after)
})

test.for([
  ['RES-JSON', { 'RES-JSON': 'must' }, false],
  ['RES-JSON', {}, true],
  ['GAP-CREDIT-COST', {}, false],
  ['toString', {}, false],
] as const)('%s under %j is provisional: %s', ([subject, counted, is]) => {
  expect(isProvisional(subject, counted)).toBe(is)
})
