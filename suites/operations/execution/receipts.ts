/** Receipts that are not completed: their content, and what they lead to. */
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, codesOf } from '../../assertions/answer.ts'
import { growth, repeated, effectIsSteady, unseen } from '../assertions/done-once.ts'
import { fail, every, given, inconclusive, observed, pass, warn } from '../../scenario/expect.ts'
import {
  failureCode,
  fateOf,
  hasErrorText,
  isReceiptLike,
  comesWith,
  reaches,
  describeReceipt,
} from '../assertions/receipt.ts'
import { discoverWithEffect, executeAlike, mostAlike } from '../access/discovered.ts'
import { measureGrowth, mostGrowthReads } from './effect-growth.ts'

export const failed = scenario({
  title: 'a failed receipt says by a code why, and what to do about it',
  exchanges: ['list', 'receipt', 'more[]'],
  needs: { operation: { receipt: 'failed' } },
  cost: { requests: 4 + mostAlike, turns: 0 },
  run: (t) => executeAlike(t, 'receipt'),
  judge: {
    'EXEC-RECEIPT': ({ receipt, more }, { dialect }) =>
      every([receipt, ...more], (one) => isReceiptLike(one, dialect)),
    'RCPT-FAILED-CODE': ({ receipt, more }) => every([receipt, ...more], (one) => hasErrorText(one, 'code')),
    'RCPT-FAILED-RESOLUTION': ({ receipt, more }) =>
      every([receipt, ...more], (one) => hasErrorText(one, 'resolution')),
  },
  observe: {
    'GAP-RECEIPT-STATUS': ({ receipt }) => comesWith(receipt, 'failed'),
    'GAP-RECEIPT-CODES': ({ receipt }) => given(reaches(receipt, 'failed'), () => observed(fateOf(receipt))),
  },
})

const uncertain = 'OUTCOME_UNCERTAIN'

const effectOf = (t: Driver<'effect[]'>) => () => t.effectOf('effect', t.operation)

export const doubtful = scenario({
  title: 'a write whose outcome is not known is not done again, and says so',
  exchanges: ['list', 'first', 'again', 'third', 'effect[]'],
  needs: { operation: { receipt: 'completed', write: true, effect: true } },
  cost: { requests: 7 + mostGrowthReads, turns: 0 },
  async run(t) {
    await discoverWithEffect(t, 'list', t.operation)
    const request = { key: t.key(), input: t.inputOf(t.operation) }
    await measureGrowth(t, effectOf(t), {
      [growth]: async () => {
        await t.execute('first', t.operation, request)
        await t.enter('operation.uncertain', { idempotencyKey: request.key })
        await t.execute('again', t.operation, request)
        await t.execute('third', t.operation, request)
      },
    })
  },
  judge: {
    'RCPT-UNCERTAIN': ({ again, third }) =>
      [again, third].map(isDoubted).find(({ is }) => is !== 'pass') ?? pass,
    'RCPT-UNCERTAIN-ONE-RUN': ({ first, third }, context) =>
      given(reaches(first, 'completed'), () => atMostOnce(third, context)),
  },
})

/** For targets that declare a write with an uncertain outcome: it was started once, and never again. */
export const leftInDoubt = scenario({
  title: 'a write that ended in doubt is not begun again with its key',
  exchanges: ['list', 'first', 'again', 'third', 'effect[]'],
  needs: { operation: { receipt: 'failed', write: true, effect: true }, extra: true },
  cost: { requests: 7 + mostGrowthReads, turns: 0 },
  async run(t) {
    await discoverWithEffect(t, 'list', t.operation)
    const request = { key: t.key(), input: t.inputOf(t.operation) }
    await measureGrowth(t, effectOf(t), {
      [growth]: async () => {
        const first = await t.execute('first', t.operation, request)
        if (failureCode(first) !== uncertain) t.stop('the operation does not end in doubt by itself')
        await t.execute('again', t.operation, request)
        await t.execute('third', t.operation, request)
      },
    })
  },
  judge: {
    'RCPT-UNCERTAIN': ({ third }) => isDoubted(third),
    'RCPT-UNCERTAIN-ONE-RUN': ({ third }, context) => atMostOnce(third, context),
  },
})

function isDoubted(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const expected = `a failed receipt with the code ${uncertain}`
    if (failureCode(exchange) === uncertain) return pass
    return codesOf(exchange).includes(uncertain)
      ? warn(expected, `the code without such a receipt: ${describeReceipt(exchange)}`, exchange)
      : fail(expected, describeReceipt(exchange), exchange)
  })
}

function atMostOnce(last: Exchange, { notes, dialect }: Context): Judgement {
  return given(answered(last), () => {
    const grown = notes[growth]
    if (typeof grown !== 'number') return inconclusive('how often it was done was not counted')
    if (grown === 1) return pass
    // Work that was never seen to be done does not show whether it was repeated.
    if (grown < 1) return inconclusive(unseen)
    return given(effectIsSteady(notes), () =>
      repeated(grown, 'the write to be done no second time', last, dialect),
    )
  })
}
