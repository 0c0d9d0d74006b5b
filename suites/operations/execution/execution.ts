/** Execution of operations: the receipt, and the response for an unknown id. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { outline } from '../assertions/catalogue.ts'
import { all, check, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import {
  fateOf,
  hasData,
  hasStatusText,
  isReceiptLike,
  neverCompleted,
  reaches,
} from '../assertions/receipt.ts'
import { answered, shown } from '../../assertions/answer.ts'
import { json, text, type Exchange } from '../../wire/exchange.ts'
import { discovered, discoverOwn, executeAlike, mostAlike, mustBeListed } from '../access/discovered.ts'

interface Executed {
  executed: Exchange
}

const receiptWithResult = {
  'EXEC-RECEIPT': ({ executed }: Executed, { dialect }: Context) => isReceiptLike(executed, dialect),
  'RCPT-COMPLETED-DATA': ({ executed }: Executed) => hasData(executed),
}

const jsonOrNothing = (refusal: Exchange): Judgement =>
  check(text(refusal).text === '' || json(refusal).ok, 'a refusal in JSON', shown(refusal, 80), refusal)

export const read = scenario({
  title: 'a read is executed and answered with a receipt that carries its result',
  exchanges: ['list', 'executed'],
  needs: { operation: { receipt: 'completed', write: false } },
  cost: { requests: 5, turns: 0 },
  profile: 'smoke',
  async run(t) {
    await discoverOwn(t, 'list')
    await t.execute('executed', t.operation)
  },
  judge: receiptWithResult,
  observe: {
    'GAP-RECEIPT-SHAPE': ({ executed }) => given(hasStatusText(executed), () => observed(outline(executed))),
    'GAP-EXECUTION-BODY': ({ executed }, { dialect }) =>
      given(reaches(executed, 'completed'), () => {
        const place = dialect.execution?.input
        return observed(place === undefined ? 'found by a search' : `at ${place || 'the top'}, as declared`)
      }),
  },
})

export const write = scenario({
  title: 'every declared write is executed and answered with a receipt that carries its result',
  exchanges: ['list', 'executed', 'more[]'],
  needs: { operation: { receipt: 'completed', write: true } },
  cost: { requests: 4 + mostAlike, turns: 0 },
  run: (t) => executeAlike(t, 'executed', ({ write }) => write === true),
  judge: {
    'EXEC-RECEIPT': ({ executed, more }, { dialect }) =>
      every([executed, ...more], (one) => isReceiptLike(one, dialect)),
  },
})

export const unknown = scenario({
  title: 'an operation that there is not never completes',
  exchanges: ['list', 'executed', 'unknown', 'misspelt', 'malformed'],
  needs: { operation: { receipt: 'completed', write: false } },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    mustBeListed(t, await discovered(t, 'list'), t.operation)
    await t.execute('executed', t.operation)
    await t.execute('unknown', `touchstone.${t.uuid()}`, { input: t.inputOf(t.operation) })
    await t.execute('misspelt', `touchstone.${t.operation.id}`, { input: t.inputOf(t.operation) })
    await t.execute('malformed', t.operation, { raw: '{"' })
  },
  judge: {
    'EXEC-RECEIPT': ({ executed, malformed }) =>
      given(all(reaches(executed, 'completed'), answered(malformed)), () => jsonOrNothing(malformed)),
    'EXEC-UNKNOWN': ({ executed, unknown, misspelt }) =>
      given(reaches(executed, 'completed'), () => {
        const judged = [unknown, misspelt].map((one) => neverCompleted(one, 'an operation that there is not'))
        return judged.find(({ is }) => is !== 'pass') ?? { is: 'pass' }
      }),
  },
  observe: {
    'GAP-OPERATION-UNKNOWN': ({ executed, unknown }) =>
      given(reaches(executed, 'completed'), () => observed(fateOf(unknown))),
    'GAP-OPERATION-REFUSAL': ({ executed, unknown }) =>
      given(reaches(executed, 'completed'), () => observed(outline(unknown))),
  },
})

/** Unspecified points of the key of a write: recorded, never judged. */
export const keys = scenario({
  title: 'a write is sent without a key, and with a used key and another input',
  exchanges: ['list', 'executed', 'conflict', 'keyless'],
  needs: { operation: { receipt: 'completed', write: true } },
  cost: { requests: 7, turns: 0 },
  async run(t) {
    await discoverOwn(t, 'list')
    const key = t.key()
    await t.execute('executed', t.operation, { key })
    await t.execute('conflict', t.operation, { key })
    await t.execute('keyless', t.operation, { key: null })
  },
  judge: {
    'EXEC-RECEIPT': ({ executed }, { dialect }) => isReceiptLike(executed, dialect),
  },
  observe: {
    'GAP-OPERATION-KEY': ({ executed }, { dialect }) =>
      given(reaches(executed, 'completed'), () => {
        const { key, keyHeader } = dialect.execution ?? {}
        return observed(key === undefined ? `sent in ${keyHeader ?? 'Idempotency-Key'}` : `sent at ${key}`)
      }),
    'GAP-OPERATION-KEY-REQUIRED': ({ executed, keyless }) =>
      given(reaches(executed, 'completed'), () => observed(fateOf(keyless))),
    'GAP-OPERATION-CONFLICT': ({ executed, conflict }) =>
      given(reaches(executed, 'completed'), () =>
        Buffer.compare(executed.request.body, conflict.request.body) === 0
          ? inconclusive('the operation declares nothing `fresh`, so both inputs are the same')
          : observed(fateOf(conflict)),
      ),
  },
})
