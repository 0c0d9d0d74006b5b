import { expect, test } from 'vitest'
import { status } from '../../assertions/answer.ts'
import { scenario } from '../../scenario/scenario.ts'
import { runServerUnredacted } from '../drivers/server.ts'
import { rejudge } from '../outcome/rejudge.ts'
import { serviceDouble, type Answer } from '../service.testkit.ts'

const one = scenario({
  title: 'one',
  exchanges: ['absent'],
  cost: { requests: 1, turns: 0 },
  run: async (t) => void (await t.chat('absent', { raw: '{}' })),
  judge: { 'REQ-MESSAGE-REQUIRED': ({ absent }) => status(absent, 400) },
})

const busy = (seconds: unknown): Answer => ({
  status: 429,
  body: { error: 'slow down', retry_after_seconds: seconds },
})
/** To a message, so that no later attempts are made. */
const noCredits: Answer = { status: 402, body: { error: 'no' } }
const taken: Answer = { status: 409, body: { error: 'REQUEST_IN_PROGRESS' } }

/** Answers to the second request, in order; then as ever. */
const cases: Readonly<Record<string, readonly [readonly Answer[], sent: number, verdict: string]>> = {
  'is judged by the later response': [[busy(0.001)], 2, 'pass'],
  'is not sent again where nothing says how long to wait': [[busy(undefined)], 1, 'inconclusive'],
  'is sent again once': [[busy(0.001), busy(0.001)], 2, 'inconclusive'],
  'is not judged by the trace of the refusal': [[busy(0.001), taken], 2, 'inconclusive'],
}

test.for(Object.entries(cases))('a request refused as too early %s', async ([, [answers, sent, verdict]]) => {
  const left = [...answers]
  /** The first is sent before the run. */
  let probes = 0
  const service = await serviceDouble(({ body }) => {
    if (body !== '{}') return noCredits
    return probes++ > 0 ? (left.shift() ?? null) : null
  })
  const scenarios = { 'a/one': one }
  const { record, journal } = await runServerUnredacted(service.target, { seed: 1, runId: 'run', scenarios })
  await service.close()
  expect(journal.filter(({ name }) => name === 'absent')).toHaveLength(sent)
  expect(record.findings.map((finding) => finding.verdict)).toEqual([verdict])
  expect(rejudge({ record, journal }, scenarios, service.target)).toEqual(record)
})

test('a target that always refuses is not waited for with every request', async () => {
  const service = await serviceDouble(({ body }) => (body === '{}' ? busy(0.001) : noCredits))
  const scenarios = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`a/${i}`, one]))
  const { journal } = await runServerUnredacted(service.target, { seed: 1, scenarios })
  await service.close()
  expect(journal.filter(({ name }) => name === 'absent')).toHaveLength(6 + 3)
})
