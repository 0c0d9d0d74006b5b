/** A write that is sent again with its key, after its receipt or at the same moment, is done once. */
import { scenario, type Profile } from '../engine/scenario.ts'
import type { Player } from '../engine/player.ts'
import { onceByEffect, onceByReceipts } from '../judge/done-once.ts'
import { given } from '../judge/expect.ts'
import { overlapping } from '../judge/overlapping.ts'
import { discoverWithEffect } from './found.ts'
import { tally, tallyLooks } from './tally.ts'
import type { OperationFixture } from '../target/target.ts'

/** Of the writes that complete, one that shows how often it was done; else the first. */
function telling<N extends string>(t: Player<N>): OperationFixture {
  const fits = ({ write, receipt, effect }: OperationFixture) =>
    write === true && receipt === 'completed' && effect !== undefined
  return t.operations.find(fits) ?? t.operation
}

export const again = scenario({
  title: 'a write that is sent again with its key is done once',
  exchanges: ['list', 'first', 'again', 'third', 'other', 'effect[]'],
  needs: { operation: { receipt: 'completed', write: true } },
  cost: { requests: 8 + tallyLooks, turns: 0 },
  profile: 'smoke',
  async play(t) {
    const operation = telling(t)
    await discoverWithEffect(t, 'list', operation)
    const request = { key: t.key(), input: t.inputOf(operation) }
    await tally(
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
  },
})

const race = (count: number, profile: Profile) =>
  scenario({
    title: `a write that is sent ${count} times at once with one key is done once`,
    exchanges: ['list', 'race[]', 'after', 'other', 'effect[]'],
    needs: { operation: { receipt: 'completed', write: true } },
    cost: { requests: count + 6 + tallyLooks, turns: 0 },
    profile,
    async play(t) {
      const operation = telling(t)
      await discoverWithEffect(t, 'list', operation)
      const request = { key: t.key(), input: t.inputOf(operation) }
      await tally(
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
        given(overlapping(same), () => {
          const sent = [...same, after]
          return onceByEffect(sent, context) ?? onceByReceipts(sent, other)
        }),
    },
  })

export const two = race(2, 'standard')
export const four = race(4, 'standard')
export const ten = race(10, 'standard')
