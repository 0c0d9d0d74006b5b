/** Execution of operations: the receipt, and the response for an unknown id. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { outline } from '../assertions/catalogue.ts'
import { check, every, given, inconclusive, observed } from '../../scenario/expect.ts'
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
import { discoverOwn, executeAlike, mostAlike } from '../access/discovered.ts'

const jsonOrNothing = (refusal: Exchange): Judgement =>
  check(text(refusal).text === '' || json(refusal).ok, 'a refusal in JSON', shown(refusal, 80), refusal)

export const read = scenario({
  title:
    'a read is executed and answered with a receipt that carries its result, and an operation that there is not never completes',
  exchanges: ['list', 'executed', 'unknown', 'misspelt', 'malformed'],
  needs: { operation: { receipt: 'completed', write: false } },
  cost: { requests: 8, turns: 0 },
  profile: 'smoke',
  async run(t) {
    await discoverOwn(t, 'list')
    await t.execute('executed', t.operation)
    await t.execute('unknown', `touchstone.${t.uuid()}`, { input: t.inputOf(t.operation) })
    await t.execute('misspelt', `touchstone.${t.operation.id}`, { input: t.inputOf(t.operation) })
    await t.execute('malformed', t.operation, { raw: '{"' })
  },
  judge: {
    'EXEC-RECEIPT': ({ executed, malformed }, { dialect }) => {
      const receipt = isReceiptLike(executed, dialect)
      if (receipt.is !== 'pass' || reaches(executed, 'completed').is !== 'pass') return receipt
      // How a malformed body is refused is open, but for its form; one without an answer says nothing.
      return answered(malformed).is === 'pass' ? jsonOrNothing(malformed) : receipt
    },
    'RCPT-COMPLETED-DATA': ({ executed }) => hasData(executed),
    'EXEC-UNKNOWN': ({ executed, unknown, misspelt }) =>
      given(reaches(executed, 'completed'), () => {
        const judged = [unknown, misspelt].map((one) => neverCompleted(one, 'an operation that there is not'))
        return judged.find(({ is }) => is !== 'pass') ?? { is: 'pass' }
      }),
  },
  observe: {
    'GAP-RECEIPT-SHAPE': ({ executed }) => given(hasStatusText(executed), () => observed(outline(executed))),
    'GAP-EXECUTION-BODY': ({ executed }, { dialect }) =>
      given(reaches(executed, 'completed'), () => {
        const place = dialect.execution?.input
        return observed(place === undefined ? 'found by a search' : `at ${place || 'the top'}, as declared`)
      }),
    'GAP-OPERATION-UNKNOWN': ({ executed, unknown }) =>
      given(reaches(executed, 'completed'), () => observed(fateOf(unknown))),
    'GAP-OPERATION-REFUSAL': ({ executed, unknown }) =>
      given(reaches(executed, 'completed'), () => observed(outline(unknown))),
  },
})

export const write = scenario({
  title:
    'every declared write is answered with a receipt; what comes of one without a key, or with a used one, is recorded',
  exchanges: ['list', 'executed', 'more[]', 'conflict', 'keyless'],
  needs: { operation: { receipt: 'completed', write: true } },
  cost: { requests: 6 + mostAlike, turns: 0 },
  async run(t) {
    const key = t.key()
    await executeAlike(t, 'executed', ({ write }) => write === true, { key })
    await t.execute('conflict', t.operation, { key })
    await t.execute('keyless', t.operation, { key: null })
  },
  judge: {
    'EXEC-RECEIPT': ({ executed, more }, { dialect }) =>
      every([executed, ...more], (one) => isReceiptLike(one, dialect)),
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
