import { afterEach, expect, test } from 'vitest'
import { given, inconclusive, pass } from '../scenario/expect.ts'
import { succeeded } from '../assertions/reply.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { rejudge } from './outcome/rejudge.ts'
import { runServerUnredacted } from './drivers/server.ts'
import { scenario, type AnyScenario } from '../scenario/scenario.ts'
import { serviceDouble, type Double } from './service.testkit.ts'

let service: Double
afterEach(() => service.close())

/** Two requests at once, which meet from the `meets`th time on. */
function race(meets: number, together = 2): AnyScenario {
  let times = 0
  return scenario({
    title: 'two at once',
    exchanges: ['race[]'],
    cost: { requests: 2, turns: 2 },
    async run(t) {
      t.note('met', ++times >= meets)
      const requests = Array.from({ length: together }, () => ({ message: t.message }))
      await t.together('race', requests)
    },
    judge: {
      'RES-JSON': ({ race }, { notes }) =>
        notes['met'] === true
          ? given(succeeded(race[0]!), () => pass)
          : inconclusive(`no two of ${race.length} were in flight at once`),
    },
  })
}

/** Allows for more than it sends. */
const idle = scenario({
  title: 'one',
  exchanges: ['one'],
  cost: { requests: 4, turns: 4 },
  run: async (t) => void (await t.chat('one')),
  judge: { 'RES-JSON': ({ one }) => given(succeeded(one), () => pass) },
})

async function run(scenarios: Readonly<Record<string, AnyScenario>>): Promise<Run> {
  service = await serviceDouble()
  return runServerUnredacted(service.target, { seed: 1, runId: 'run', scenarios })
}

const cases: Readonly<Record<string, readonly [Readonly<Record<string, AnyScenario>>, number, string]>> = {
  'that overlapped is run once': [{ 'a/idle': idle, 'a/race': race(1) }, 2, 'pass'],
  'that did not is run once more': [{ 'a/idle': idle, 'a/race': race(2) }, 4, 'pass'],
  'that never does is run twice': [{ 'a/idle': idle, 'a/race': race(3) }, 4, 'inconclusive'],
  'is not run again where the plan has no room for it': [{ 'a/race': race(2) }, 2, 'inconclusive'],
  'of one request is none': [{ 'a/idle': idle, 'a/race': race(2, 1) }, 1, 'inconclusive'],
}

test.for(Object.entries(cases))('a race %s', async ([, [scenarios, sent, verdict]]) => {
  const { record, journal } = await run(scenarios)
  const own = journal.filter((one) => one.scenario === 'a/race')
  const [finding] = record.findings.filter((one) => one.scenario === 'a/race')
  expect([own.length, finding?.verdict]).toEqual([sent, verdict])
  expect(new Set(own.map(({ request }) => request.body?.toString())).size).toBe(sent)
  expect(record.used.requests).toBeLessThanOrEqual(record.plan.ceiling.requests)
  // Judged again from the journal, it is the same attempt.
  expect(rejudge({ record, journal }, scenarios, service.target)).toEqual(record)
})
