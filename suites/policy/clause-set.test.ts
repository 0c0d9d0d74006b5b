import { afterEach, describe, expect, test } from 'vitest'
import type { Finding, Verdict } from '../../reports/bundle/record.ts'
import { clauseSets, newestRevision, type ClauseLevels } from '../../spec/index.ts'
import { rejudge } from '../runner/outcome/rejudge.ts'
import { runServerUnredacted } from '../runner/drivers/server.ts'
import { scenario } from '../scenario/scenario.ts'
import schema from '../config/schema.json' with { type: 'json' }
import { serviceDouble, type Double } from '../runner/service.testkit.ts'
import { status } from '../assertions/answer.ts'
import { atLevel, isProvisional } from './clause-set.ts'

let service: Double
afterEach(() => service?.close())

test('a run names the set that it was held against, and its digest', async () => {
  service = await serviceDouble()
  const scenarios = {
    'a/b': scenario({
      title: 'one',
      exchanges: ['one'],
      cost: { requests: 1, turns: 1 },
      run: async (t) => void (await t.chat('one')),
      judge: { 'RES-JSON': ({ one }) => status(one, 418) },
    }),
  }
  const run = await runServerUnredacted(service.target, { seed: 1, scenarios })
  const { digest } = clauseSets[newestRevision]
  expect(run.record).toMatchObject({ contract: { revision: newestRevision, digest }, exitCode: 1 })

  // A revision that this version does not know counts nothing: what it held nobody can say.
  const contract = { revision: '2020-01', digest: 'ab' }
  const record = rejudge({ ...run, record: { ...run.record, contract } }, scenarios, service.target)
  expect(record).toMatchObject({ contract, conformance: 'partial', exitCode: 3 })
  expect(record.findings[0]).toMatchObject({ verdict: 'fail', provisional: true })
})

test('a target file may ask for each published set, and editors know them', () => {
  const { contract } = schema.properties
  expect(contract).toMatchObject({ enum: Object.keys(clauseSets), default: newestRevision })
})

describe('a finding at the level of its clause in a set', () => {
  const must = { 'IDEM-REPLAY-HEADER': 'must' } as const
  const should = { 'IDEM-REPLAY-HEADER': 'should' } as const
  const place = { check: 'a/b/IDEM-REPLAY-HEADER', subject: 'IDEM-REPLAY-HEADER', scenario: 'a/b' } as const
  const about = {
    ...place,
    area: 'idempotency',
    basis: 'stated',
    title: '',
    evidence: [1],
    states: [],
  } as const
  const at = (verdict: Verdict, level: Finding['level'], more = {}): Finding => ({
    ...about,
    verdict,
    level,
    ...more,
  })
  const softened = at('warn', 'should', { softened: true })

  test.for<[string, Finding, ClauseLevels, Finding]>([
    ['a failure of a MUST that is a SHOULD', at('fail', 'must'), should, softened],
    ['and a MUST again', softened, must, at('fail', 'must')],
    ['a failure that the set does not know: as in the catalogue', softened, {}, at('fail', 'must')],
    ['a pass', at('pass', 'must'), should, at('pass', 'should')],
    ['an error', at('error', 'should'), must, at('error', 'must')],
  ])('%s', ([, before, counted, after]) => {
    expect(atLevel(before, counted)).toEqual(after)
  })
})

test.for([
  ['RES-JSON', { 'RES-JSON': 'must' }, false],
  ['RES-JSON', {}, true],
  ['GAP-CREDIT-COST', {}, false],
  ['toString', {}, false],
] as const)('%s under %j is provisional: %s', ([subject, counted, is]) => {
  expect(isProvisional(subject, counted)).toBe(is)
})
