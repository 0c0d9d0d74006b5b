import { afterEach, expect, test } from 'vitest'
import { clauseSets, newestRevision } from '../../spec/index.ts'
import { rejudge } from '../runner/outcome/rejudge.ts'
import { runServerUnredacted } from '../runner/drivers/server.ts'
import { scenario } from '../scenario/scenario.ts'
import schema from '../config/schema.json' with { type: 'json' }
import { serviceDouble, type Double } from '../runner/service.testkit.ts'
import { status } from '../assertions/answer.ts'
import { clauseSetOf, contractOf, isProvisional } from './clause-set.ts'

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

test('the newest set is taken where none is asked for', () => {
  expect(contractOf()).toEqual(contractOf(newestRevision))
  expect(clauseSetOf(newestRevision)).toBe(clauseSets[newestRevision].levels)
})

test('a target file may ask for each published set, and editors know them', () => {
  const { contract } = schema.properties
  expect(contract).toMatchObject({ enum: Object.keys(clauseSets), default: newestRevision })
})

test.for([
  ['RES-JSON', { 'RES-JSON': 'must' }, false],
  ['RES-JSON', {}, true],
  ['GAP-CREDIT-COST', {}, false],
  ['toString', {}, false],
] as const)('%s under %j is provisional: %s', ([subject, counted, is]) => {
  expect(isProvisional(subject, counted)).toBe(is)
})
