/** A write that is repeated with its key, later or concurrently, is done once. */
import { scenario, type Driver } from '../../scenario/scenario.ts'
import type { Profile, OperationFixture } from '../../config/target.ts'
import {
  growth,
  onceByEffect,
  onceByReceipts,
  onceByIds,
  requestsOverlap,
  unrest,
} from '../assertions/done-once.ts'
import { given } from '../../scenario/expect.ts'
import { approvalIdOf, taskIdOf } from '../assertions/pointers/pointer-receipt.ts'
import { keepsData } from '../assertions/receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { discoverWithEffect } from '../access/discovered.ts'
import { mostPolls, pollIntervals } from '../tasks/polling.ts'
import { measureGrowth, mostGrowthReads } from './effect-growth.ts'
import { readToItsEnd, taskPath } from '../tasks/task-requests.ts'

/** Of the writes that complete, one with an effect that can be counted; else the first. */
function countableWrite<N extends string>(t: Driver<N>): OperationFixture {
  const fits = ({ write, receipt, effect }: OperationFixture) =>
    write === true && receipt === 'completed' && effect !== undefined
  return t.operations.find(fits) ?? t.operation
}

export const again = scenario({
  title: 'a write that is sent again with its key is done once',
  exchanges: ['list', 'first', 'again', 'third', 'other', 'effect[]'],
  needs: { operation: { receipt: 'completed', write: true } },
  cost: { requests: 8 + mostGrowthReads, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const operation = countableWrite(t)
    await discoverWithEffect(t, 'list', operation)
    const request = { key: t.key(), input: t.inputOf(operation) }
    await measureGrowth(
      t,
      () => t.effectOf('effect', operation),
      async () => {
        await t.execute('first', operation, request)
        await t.execute('again', operation, request)
        await t.execute('third', operation, request)
      },
    )
    await t.execute('other', operation, { ...request, key: t.key() })
  },
  judge: {
    'EXEC-RETRY-ONE-RUN': ({ first, again, third, other }, context) =>
      onceByEffect([first, again, third], context) ?? onceByReceipts([first, again, third], other),
    'RCPT-COMPLETED-DATA': ({ first, again, third }) => keepsData(first, [again, third]),
  },
})

const retryRaceScenario = (count: number, profile: Profile) =>
  scenario({
    title: `a write that is sent ${count} times at once with one key is done once`,
    exchanges: ['list', 'race[]', 'after', 'other', 'effect[]'],
    needs: { operation: { receipt: 'completed', write: true } },
    cost: { requests: count + 6 + mostGrowthReads, turns: 0 },
    profile,
    async run(t) {
      const operation = countableWrite(t)
      await discoverWithEffect(t, 'list', operation)
      const request = { key: t.key(), input: t.inputOf(operation) }
      await measureGrowth(
        t,
        () => t.effectOf('effect', operation),
        async () => {
          await t.executeTogether(
            'race',
            operation,
            Array.from({ length: count }, () => request),
          )
          await t.execute('after', operation, request)
        },
      )
      await t.execute('other', operation, { ...request, key: t.key() })
    },
    judge: {
      'EXEC-RETRY-RACE': ({ race: same, after, other }, context) =>
        given(requestsOverlap(same), () => {
          const sent = [...same, after]
          return onceByEffect(sent, context) ?? onceByReceipts(sent, other)
        }),
    },
  })

export const four = retryRaceScenario(4, 'standard')
export const ten = retryRaceScenario(10, 'exhaustive')

/** Milliseconds, before the scale of the target, within which earlier effects have to appear. */
const calmMs = 2_000

type Kept = 'list' | 'same[]' | 'other' | 'tasks[]' | 'effect[]'

/** Reads the effect twice, some time apart: one that changes by itself proves nothing. */
async function calm(t: Driver<Kept>): Promise<number> {
  const earlier = await t.effectOf('effect', t.operation)
  await t.settle(calmMs)
  const later = await t.effectOf('effect', t.operation)
  t.note(unrest, earlier !== later)
  return later ?? 0
}

async function grown(t: Driver<Kept>, before: number): Promise<void> {
  await t.settle(calmMs)
  t.note(growth, ((await t.effectOf('effect', t.operation)) ?? before) - before)
}

const exchanges = ['list', 'same[]', 'other', 'tasks[]', 'effect[]'] as const

async function sendSame(
  t: Driver<Kept>,
  times: number,
  idOf: (receipt: Exchange) => string | null,
): Promise<Set<string>> {
  const request = { key: t.key(), input: t.inputOf(t.operation) }
  const ids = new Set<string>()
  for (let sent = 0; sent < times; sent++) {
    const id = idOf(await t.executeMore('same', t.operation, request))
    if (id !== null) ids.add(id)
  }
  return ids
}

export const accepted = scenario({
  title: 'a write that is accepted, and sent again with its key, leads to one task',
  exchanges,
  needs: { operation: { receipt: 'accepted', write: true, effect: 'preferred' }, extra: true },
  cost: { requests: 11 + 3 * mostPolls.long, turns: 0 },
  async run(t) {
    await discoverWithEffect(t, 'list', t.operation)
    const before = t.operation.effect ? await calm(t) : null
    const tasks = await sendSame(t, 3, (receipt) => t.taskOf(receipt))
    if (tasks.size > 1 && before !== null) {
      for (const id of tasks) await readToItsEnd(t, 'tasks', taskPath(id), pollIntervals.long)
      await grown(t, before)
    }
    await t.execute('other', t.operation)
  },
  judge: {
    'EXEC-RETRY-ONE-RUN': ({ same, other }, context) =>
      onceByIds({ same, other }, 'accepted', taskIdOf, context),
  },
})

export const held = scenario({
  title: 'a write that is held, and sent again with its key, waits for one approval',
  exchanges,
  needs: { operation: { receipt: 'pending_approval', write: true, effect: true }, extra: true },
  cost: { requests: 12 + 2 * mostPolls.short, turns: 0 },
  async run(t) {
    await discoverWithEffect(t, 'list', t.operation)
    const approvals = await sendSame(t, 2, (receipt) => t.approvalOf(receipt))
    if (approvals.size > 1) {
      const before = await calm(t)
      for (const approvalId of approvals) await t.enter('approval.approved', { approvalId })
      await grown(t, before)
    }
    await t.execute('other', t.operation)
  },
  judge: {
    'EXEC-RETRY-ONE-RUN': ({ same, other }, context) =>
      onceByIds({ same, other }, 'pending_approval', approvalIdOf, context),
  },
})
