/**
 * Model-based test of one webhook at our receiver: changed and tested in any order, while enabled or disabled.
 * Deliveries and the list are compared with a model. A failing sequence is shrunk.
 */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudges } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import { sampleModel } from '../assertions/management/sample-model.ts'
import { updatedBy, allAfter, recordModel } from '../assertions/management/webhook-model.ts'
import { changes, changeNames, listNow, type WebhookChange } from './webhook-commands.ts'

type Names = 'creations[]' | 'updates[]' | 'removals[]' | 'lists[]' | 'tests[]' | 'arrived[]'

interface Step {
  is: WebhookChange | 'test'
  what: number
}

const step: fc.Arbitrary<Step> = fc.record({
  is: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step['is']>('test') },
    ...changeNames.map((name) => ({ weight: 1, arbitrary: fc.constant<Step['is']>(name) })),
  ),
  what: fc.nat(2),
})

const test: Step = { is: 'test', what: 0 }

/** Samples before, between and after updates of every kind. */
const opening: readonly Step[] = [
  test,
  ...changeNames.flatMap((is): readonly Step[] => [{ is, what: 1 }, test]),
]

/** Creates the webhook, disables it if `isOff`, and removes it at the end. */
async function runSampleSequence(t: Driver<Names>, steps: readonly Step[], isOff: boolean): Promise<void> {
  const since = t.exchanges().at(-1)?.id
  let endpoint = t.endpoint('arrived')
  const { id } = await t.webhookMore('creations', endpoint, { custom_headers: { 'X-Touchstone': 'one' } })
  const path = `/${encodeURIComponent(id)}`
  let webhooks = allAfter(t.exchanges(since))
  if (isOff) await t.enter('webhook.inactive', { webhookId: id })
  await listNow(t, webhooks)
  for (const { is, what } of steps) {
    if (is === 'test') {
      const { count } = endpoint
      await t.manageMore('tests', { method: 'POST', path: `${path}/test` })
      if (!isOff) await endpoint.arrived(count + 1)
      continue
    }
    if (is === 'move') endpoint = t.endpoint('arrived')
    const body = is === 'move' ? { endpoint_url: endpoint.url } : changes[is](t, what)
    webhooks = updatedBy(webhooks, await t.manageMore('updates', { method: 'PATCH', path, body }))
    await listNow(t, webhooks)
  }
  if (isOff) await t.leave('webhook.inactive')
  await t.manageMore('removals', { method: 'DELETE', path })
}

const exchanges = ({ creations, updates, removals, lists, tests, arrived }: NamedExchanges<Names>) => [
  ...creations,
  ...updates,
  ...removals,
  ...lists,
  ...tests,
  ...arrived,
]

const sampleScenario = (
  title: string,
  extent: Extent,
  profile: Profile,
  judges: SequenceJudges,
  isOff: boolean,
) => {
  const size = { ...extent, each: 2, beside: 3 }
  return scenario({
    title: `in ${extent.runs} random sequences of up to ${extent.longest} commands ${title}`,
    exchanges: ['creations[]', 'updates[]', 'removals[]', 'lists[]', 'tests[]', 'arrived[]'],
    needs: { session: true, receiver: true, extra: true },
    // Each sequence creates one, which the scenario removes at its end.
    cost: { requests: mostRequestsOf(size) + extent.runs + 20, turns: 0 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...size,
        sequence: sequences(step, extent),
        first: [opening.slice(0, extent.longest)],
        run: (steps) => runSampleSequence(t, steps, isOff),
        judges,
      }),
    judge: overSequences(judges, exchanges),
  })
}

const sent = 'samples are as the updates before them have it'
const off = 'a webhook that was turned off stays off, whatever is changed'
const restOnly = { 'HOOK-UPDATE-REST': recordModel['HOOK-UPDATE-REST'] }

export const some = sampleScenario(
  sent,
  { runs: 2, longest: 9, shrinkRequests: 200, confirm: 2 },
  'standard',
  sampleModel,
  false,
)
export const many = sampleScenario(
  sent,
  { runs: 20, longest: 12, shrinkRequests: 250, confirm: 5 },
  'exhaustive',
  sampleModel,
  false,
)
export const turnedOff = sampleScenario(
  off,
  { runs: 2, longest: 6, shrinkRequests: 100, confirm: 2 },
  'standard',
  restOnly,
  true,
)
