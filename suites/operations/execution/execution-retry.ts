/** A write that is repeated with its key, later or concurrently, is done once. */
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Profile, OperationFixture } from '../../config/target.ts'
import { growth, raced, onceByEffect, onceByReceipts, requestsOverlap } from '../assertions/done-once.ts'
import { given } from '../../scenario/expect.ts'
import { keepsData } from '../assertions/receipt.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { discoverWithEffect } from '../access/discovered.ts'
import { measureGrowth, mostGrowthReads } from './effect-growth.ts'

/** Of the writes that complete, one with an effect that can be counted; else the first. */
function countableWrite<N extends string>(t: Driver<N>): OperationFixture {
  const fits = ({ write, receipt, effect }: OperationFixture) =>
    write === true && receipt === 'completed' && effect !== undefined
  return t.operations.find(fits) ?? t.operation
}

const retryScenario = (count: number, profile: Profile) =>
  scenario({
    title: `a write that is sent again with its key, later or ${count} times at once, is done once`,
    exchanges: ['list', 'first', 'again', 'third', 'race[]', 'after', 'other', 'effect[]'],
    needs: { operation: { receipt: 'completed', write: true } },
    cost: { requests: count + 9 + 2 * mostGrowthReads, turns: 0 },
    profile,
    async run(t) {
      const operation = countableWrite(t)
      await discoverWithEffect(t, 'list', operation)
      const request = () => ({ key: t.key(), input: t.inputOf(operation) })
      const [one, another] = [request(), request()]
      await measureGrowth(t, () => t.effectOf('effect', operation), {
        [growth]: async () => {
          await t.execute('first', operation, one)
          await t.execute('again', operation, one)
          await t.execute('third', operation, one)
        },
        [raced]: async () => {
          await t.executeTogether(
            'race',
            operation,
            Array.from({ length: count }, () => another),
          )
          await t.execute('after', operation, another)
        },
      })
      // Without a count, receipts are compared with that of another run.
      if (t.notes[growth] === undefined) await t.execute('other', operation)
    },
    judge: {
      'EXEC-RETRY-ONE-RUN': (sent, context) => onceIn(sent, [sent.first, sent.again, sent.third], context),
      'EXEC-RETRY-RACE': (sent, context) =>
        given(requestsOverlap(sent.race), () => onceIn(sent, [...sent.race, sent.after], context, raced)),
      'RCPT-COMPLETED-DATA': ({ first, again, third }) => keepsData(first, [again, third]),
    },
  })

function onceIn(
  scenario: { other: Exchange },
  sent: readonly Exchange[],
  context: Context,
  name?: string,
): Judgement {
  return onceByEffect(sent, context, name) ?? onceByReceipts(sent, scenario.other)
}

export const again = retryScenario(4, 'standard')
export const ten = retryScenario(10, 'exhaustive')
