/** Model-based test of one webhook at our receiver, which is changed and tested in any order. */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import {
  updatedBy,
  allAfter,
  aboutOf,
  isUpdate,
  type ModelledWebhook,
  isAsKept,
  type Webhooks,
} from '../assertions/management/webhook-model.ts'
import type { ClauseId } from '../../../spec/index.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { isObject } from '../../../spec/json.ts'
import { since } from '../assertions/deliveries.ts'
import { carriesCustom } from '../assertions/delivery.ts'
import { fail, every, pass } from '../../scenario/expect.ts'
import { wasAccepted } from '../assertions/management/webhook-record.ts'
import { allSigned } from '../assertions/signature.ts'
import { asked } from '../../assertions/turn.ts'
import { elsewhere, seldom } from '../webhook-requests.ts'

type Writer = Pick<Driver, 'text' | 'uuid'>

/** The members of an update, by its command; `what` selects among values. */
const changes = {
  rename: ({ text }) => ({ name: text(24) }),
  move: (t) => ({ endpoint_url: elsewhere(t) }),
  select: (_t, what) => ({ events: [selections[what % selections.length] ?? seldom] }),
  reheader: ({ uuid }) => ({
    custom_headers: { 'X-Touchstone': uuid(), [`X-Touchstone-${uuid().slice(0, 8)}`]: 'two' },
  }),
} as const satisfies Readonly<Record<string, (t: Writer, what: number) => Readonly<Record<string, Json>>>>
type WebhookChange = keyof typeof changes
const changeNames = Object.keys(changes) as readonly WebhookChange[]

/** These events rarely happen together. */
const selections = [seldom, 'payment.verified', 'order.confirmed'] as const

async function listNow(t: Pick<Driver<'lists[]'>, 'manageMore'>, webhooks: Webhooks): Promise<void> {
  await t.manageMore('lists', { until: (list) => isAsKept(list, webhooks) })
}

/**
 * Judges the samples that arrive during a sequence of updates and tests of one webhook. A sample is compared with the
 * expected state of the webhook, and only if an earlier one arrived and was correct: then the requests between the
 * two are the cause.
 */

interface Sample {
  test: Exchange
  kept: ModelledWebhook
  updates: readonly Exchange[]
  arrived: readonly Exchange[]
}

/** Up to the first that did not arrive: later deliveries may be that one, late. */
function samplesOf(course: readonly Exchange[]): readonly Sample[] {
  const sent = course.filter(({ inbound }) => inbound === undefined)
  // Requests to endpoints that this sequence named; others are late deliveries of an earlier sequence.
  const urls = sent.map((one) => asked(one)?.['endpoint_url']).filter((url) => typeof url === 'string')
  const arrivals = course.filter(({ inbound }) => inbound && urls.some((url) => url.endsWith(inbound.place)))
  const samples: Sample[] = []
  for (const [at, test] of sent.entries()) {
    const { id, tail } = aboutOf(test)
    if (tail !== 'test' || !wasAccepted(test)) continue
    const before = sent.slice(0, at)
    const kept = id === null ? undefined : allAfter(before).get(id)
    const next = sent[at + 1]?.id ?? Number.POSITIVE_INFINITY
    const arrived = since(arrivals, test).filter((one) => one.id < next)
    // An id of an earlier delivery leaves open whether there was a sample.
    const isDoubtful = arrived.length === 0 && arrivals.some(({ id }) => id > test.id && id < next)
    if (kept && !kept.isUnclear && !isDoubtful)
      samples.push({ test, kept, updates: before.filter(isUpdate), arrived })
    if (arrived.length === 0) break
  }
  return samples
}

/** Each sample after a change, with the last correct one before it. */
function compared(
  course: readonly Exchange[],
  isRight: (sample: Sample) => boolean,
  judge: (sample: Sample, news: readonly string[]) => Judgement | null,
): Judgement {
  const samples = samplesOf(course)
  const judged = samples.flatMap((sample, at) => {
    const control = samples.slice(0, at).findLast((one) => one.arrived.length > 0 && isRight(one))
    if (!control) return []
    const changes = sample.updates.filter(({ id }) => id > control.test.id)
    const news = changes.flatMap((one) => Object.keys(asked(one) ?? {}))
    const judgement = news.length === 0 ? null : judge(sample, news)
    return judgement ? [judgement] : []
  })
  return every(judged, (one) => one)
}

const isAtEndpoint =
  ({ kept }: Sample) =>
  ({ inbound }: Exchange): boolean =>
    String(kept.fields['endpoint_url']).endsWith(inbound?.place ?? '\n')

const isSigned = ({ arrived, kept }: Sample): Judgement => allSigned(arrived, kept.creation)

function carriesItsOwn({ arrived, kept }: Sample): Judgement {
  const headers = kept.fields['custom_headers']
  const wanted = Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
    name,
    String(value as unknown),
  ])
  return every(arrived, (one) => carriesCustom(one, Object.fromEntries(wanted) as Record<string, string>))
}

const goesWhereItShould = (sample: Sample): boolean => sample.arrived.every(isAtEndpoint(sample))

const toTheNewPlace: SequenceJudge = (course) =>
  compared(course, goesWhereItShould, (sample, news) => {
    if (!news.includes('endpoint_url')) return null
    const { test, arrived } = sample
    const astray = arrived.find((one) => !isAtEndpoint(sample)(one))
    if (astray) return fail('a delivery at the endpoint of the update', 'one at another', astray)
    return arrived.length > 0 ? pass : fail('a delivery at the endpoint of the update', 'nothing came', test)
  })

const withNewHeaders: SequenceJudge = (course) =>
  compared(
    course,
    (sample) => carriesItsOwn(sample).is === 'pass',
    (sample, news) =>
      news.includes('custom_headers') && sample.arrived.length > 0 ? carriesItsOwn(sample) : null,
  )

const withTheSecret: SequenceJudge = (course) =>
  compared(
    course,
    (sample) => isSigned(sample).is === 'pass',
    (sample) => (sample.arrived.length > 0 ? isSigned(sample) : null),
  )

/** A webhook without changes still sends samples after one arrived. */
const stillSends: SequenceJudge = (course) => {
  const samples = samplesOf(course)
  const judged = samples.filter((sample, at) => {
    const before = samples[at - 1]
    return before !== undefined && before.arrived.length > 0 && placeOf(before) === placeOf(sample)
  })
  return every(judged, ({ test, arrived }) =>
    arrived.length > 0 ? pass : fail('a sample, as before', 'nothing came', test),
  )
}

const placeOf = ({ kept }: Sample): unknown => kept.fields['endpoint_url']

const sampleModel = {
  'HOOK-TEST': stillSends,
  'HOOK-UPDATE-ENDPOINT': toTheNewPlace,
  'HOOK-UPDATE-HEADERS': withNewHeaders,
  'HOOK-UPDATE-REST': withTheSecret,
} as const satisfies Readonly<Partial<Record<ClauseId, SequenceJudge>>>

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

/** Creates the webhook, and removes it at the end. */
async function runSampleSequence(t: Driver<Names>, steps: readonly Step[]): Promise<void> {
  const since = t.exchanges().at(-1)?.id
  let endpoint = t.endpoint('arrived')
  const { id } = await t.webhookMore('creations', endpoint, { custom_headers: { 'X-Touchstone': 'one' } })
  const path = `/${encodeURIComponent(id)}`
  let webhooks = allAfter(t.exchanges(since))
  await listNow(t, webhooks)
  for (const { is, what } of steps) {
    if (is === 'test') {
      const { count } = endpoint
      await t.manageMore('tests', { method: 'POST', path: `${path}/test` })
      await endpoint.arrived(count + 1)
      continue
    }
    if (is === 'move') endpoint = t.endpoint('arrived')
    const body = is === 'move' ? { endpoint_url: endpoint.url } : changes[is](t, what)
    webhooks = updatedBy(webhooks, await t.manageMore('updates', { method: 'PATCH', path, body }))
    await listNow(t, webhooks)
  }
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

const extent: Extent = { runs: 20, longest: 12, shrinkRequests: 250, confirm: 5, each: 2, beside: 3 }

export const many = scenario({
  title: `in ${extent.runs} random sequences of up to ${extent.longest} commands samples are as the updates before them have it`,
  exchanges: ['creations[]', 'updates[]', 'removals[]', 'lists[]', 'tests[]', 'arrived[]'],
  needs: { session: true, receiver: true, extra: true },
  // Lists may have to be read again.
  cost: { requests: mostRequestsOf(extent) + extent.runs + 20, turns: 0 },
  profile: 'exhaustive',
  run: (t) =>
    runModelTest(t, {
      ...extent,
      sequence: sequences(step, extent),
      first: [opening],
      run: (steps) => runSampleSequence(t, steps),
      judges: sampleModel,
    }),
  judge: overSequences(sampleModel, exchanges),
})
