/** Deliveries come at least once: what came before is answered and not processed again. */
import { all, pass, softened } from '../scenario/expect.ts'
import type { Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import {
  accepted,
  gotStatus,
  idLeft,
  idOf,
  notAccepted,
  overlapping,
  processedTimes,
  processedToo,
  resting,
} from './answers.ts'
import { bearing, holding, textOf, underId } from './delivery.ts'
import { each, exchangesIn } from './subject.ts'
import { receiverScenario, type Courier, type ReceiverScenario } from './receiver-scenario.ts'

export const repeated = receiverScenario({
  title: 'a delivery that comes again is answered like the first',
  exchanges: ['first', 'again[]'],
  requests: 3,
  async deliver(t) {
    const delivery = t.genuine()
    await t.deliver('first', delivery)
    await t.deliver('again', delivery)
    await t.deliver('again', delivery)
  },
  judge: { 'RECV-DUPLICATE-2XX': ({ first, again }) => resting([first], () => each(again, accepted)) },
})

/** What has no effect by now is taken to have none: another delivery had its own, and twice its time has passed. */
async function calm(t: Pick<Courier<'probe[]'>, 'pause'>, took: number): Promise<void> {
  await t.pause(Math.max(100, 2 * took))
}

/** Of what was sent once: processed twice it is no duplicate. It may have no effect yet. */
function notTwice(delivery: Exchange, probes: readonly Exchange[]): Judgement {
  const judged = processedTimes(1, delivery, probes)
  return judged.is === 'fail' ? judged : pass
}

/** `others`: how many are sent between a delivery and its repeats. */
function repeatScenario(others: number, title: string): ReceiverScenario {
  return receiverScenario({
    title,
    exchanges: ['first', 'other[]', 'again[]', 'another', 'probe[]'],
    requests: others + 65,
    effects: true,
    async deliver(t) {
      const [delivery, another] = [t.genuine(), t.genuine()]
      const between = Array.from({ length: others }, () => t.genuine())
      await t.deliver('first', delivery)
      const took = await t.settled('probe', delivery.id)
      for (const other of between) await t.deliver('other', other)
      await t.deliver('again', delivery)
      await t.deliver('again', delivery)
      await t.deliver('another', another)
      await t.settled('probe', another.id)
      await calm(t, took)
      for (const { id } of [...between.slice(0, 1), delivery]) await t.processed('probe', id)
    },
    judge: {
      'RECV-DUPLICATE': ({ first, other, again, another, probe }) =>
        resting([first, ...other, another], () => {
          const single = [...other.slice(0, 1), another].map((one) => notTwice(one, probe))
          return all(...again.map(gotStatus), ...single, processedTimes(1, first, probe))
        }),
    },
  })
}

export const processed = repeatScenario(0, 'a delivery that comes again is not processed again')
/** More than a receiver sees between a delivery and its retry, and far fewer than in a day. */
export const remembered = repeatScenario(
  30,
  'a delivery that comes again after thirty others is not processed again',
)

/** Letters in the other case, where there are any behind the prefix that marks live ids. */
const otherCase = (id: string): string =>
  id.replace(/^(whd_)?.*$/, (whole, start = '') => `${start}${whole.slice(start.length).toUpperCase()}`)

/** Ids that a store or a language may take for that of the first delivery. */
const likeIds = {
  'longer-id': (id) => `${id}0`,
  'shorter-id': (id) => id.slice(0, -1),
  'other-case': otherCase,
  'without-hyphens': (id) => id.replaceAll('-', ''),
} satisfies Record<string, (id: string) => string>
const likeNames = Object.keys(likeIds) as (keyof typeof likeIds)[]

/** Pairs of ids that differ in their last digit, beyond what a double can count, or a column hold. */
const pairs = [19, 160].map((digits) => (id: string) => {
  const stem = id
    .replaceAll(/\D/g, '')
    .padEnd(digits, '7')
    .slice(0, digits - 1)
  return [`whd_9${stem}1`, `whd_9${stem}2`] as const
})

export const alike = receiverScenario({
  title: 'a delivery with an id of its own is no duplicate, whatever it is like',
  exchanges: ['first', 'equal-body', ...likeNames, 'number[]', 'long[]', 'another', 'probe[]'],
  requests: 128,
  effects: true,
  async deliver(t) {
    const [first, another, equal] = [t.genuine(), t.genuine(), t.genuine().id]
    await t.deliver('first', first)
    await t.settled('probe', first.id)
    const ids = likeNames.map((name) => likeIds[name](first.id))
    await t.deliver('equal-body', underId(first, equal))
    for (const [at, name] of likeNames.entries()) await t.deliver(name, t.genuine({ id: ids[at] ?? '' }))
    const [numbers = [], long = []] = pairs.map((pair) => pair(t.genuine().id))
    for (const id of numbers) await t.deliver('number', t.genuine({ id }))
    for (const id of long) await t.deliver('long', t.genuine({ id }))
    await t.deliver('another', another)
    await t.settled('probe', another.id)
    await t.allSettled('probe', [equal, ...ids, ...numbers, ...long])
  },
  judge: {
    'RECV-DUPLICATE': (scenario) => {
      const { first, another, probe, number, long } = scenario
      const hard = [...exchangesIn(scenario, ['equal-body', 'longer-id', 'shorter-id']), ...number]
      // Conceivable, and hardly made by one service.
      const soft = [...exchangesIn(scenario, ['other-case', 'without-hyphens']), ...long]
      const taken = soft.filter((one) => accepted(one).is === 'pass')
      return resting([first, ...hard, another], () =>
        all(
          ...hard.map((one) => processedToo(one, probe)),
          ...taken.map((one) => softened(processedToo(one, probe))),
        ),
      )
    },
  },
})

const rounds = 3

function atOnce(copies: number, title: string): ReceiverScenario {
  return receiverScenario({
    title,
    exchanges: ['copy[]', 'probe[]'],
    requests: rounds * (copies + 32),
    effects: true,
    async deliver(t) {
      for (let round = 0; round < rounds; round++) {
        const delivery = t.genuine()
        await t.together(
          'copy',
          Array.from({ length: copies }, () => delivery),
        )
        await calm(t, await t.settled('probe', delivery.id))
        await t.processed('probe', delivery.id)
      }
    },
    judge: {
      'RECV-DUPLICATE-RACE': ({ copy, probe }) => onceInEach([...Map.groupBy(copy, idOf).values()], probe),
    },
  })
}

/** Copies have to overlap in one round only: a fast receiver may respond to one before the next is sent. */
function onceInEach(sent: readonly (readonly Exchange[])[], probes: readonly Exchange[]): Judgement {
  const met = sent.map(overlapping)
  const once = sent.flatMap(([first]) => (first ? [processedTimes(1, first, probes)] : []))
  return all(met.find(({ is }) => is === 'pass') ?? all(...met), ...once)
}

export const two = atOnce(2, 'of two copies that come at once one is processed')
export const ten = atOnce(10, 'of ten copies that come at once one is processed')

export const forged = receiverScenario({
  title: 'a forged delivery has no effect, and does not use up its id',
  exchanges: ['changed', 'unsigned', 'claiming', 'claimed', 'genuine', 'probe[]'],
  requests: 40,
  effects: true,
  async deliver(t) {
    const [changed, unsigned, claimed, genuine] = [t.genuine(), t.genuine(), t.genuine(), t.genuine()]
    await t.deliverForged('changed', holding(changed, textOf(changed).replace('Ada', 'Ade')))
    await t.deliverForged('unsigned', bearing(unsigned))
    await t.deliverForged('claiming', bearing(claimed))
    await t.deliver('claimed', claimed)
    await t.deliver('genuine', genuine)
    await calm(t, await t.settled('probe', genuine.id))
    for (const { id } of [changed, unsigned, claimed]) await t.processed('probe', id)
  },
  judge: {
    'RECV-CHANGED-BODY': ({ genuine, changed, probe }) =>
      resting([genuine], () => processedTimes(0, changed, probe)),
    'RECV-UNSIGNED': ({ genuine, unsigned, claiming, claimed, probe }) =>
      resting([genuine, claimed], () =>
        all(processedTimes(0, unsigned, probe), notAccepted(claiming), idLeft(claimed, probe)),
      ),
  },
})
