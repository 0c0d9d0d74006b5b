import { expect, test } from 'vitest'
import { jsonAnswer } from '../assertions/exchange.testkit.ts'
import type { OperationFixture } from '../config/target.ts'
import { undeclared } from '../config/defaults.ts'
import type { Exchange } from '../wire/exchange.ts'
import { judgeOperations } from './keys.ts'

const operation = (name: string, id: string): OperationFixture => ({
  name,
  id,
  input: {},
  receipt: 'completed',
})
const fixtures = {
  ...undeclared.fixtures,
  operations: [operation('list', 'notes.list'), operation('erase', 'notes.erase')],
}

test.for<[what: string, exchange: Exchange, dialect: object, signs: readonly string[]]>([
  [
    'every operation in the list',
    jsonAnswer({ operations: [{ id: 'notes.list' }, { id: 'notes.erase' }, { id: 'more' }] }),
    {},
    ['fine fixtures.operations'],
  ],
  ['one of them', jsonAnswer([{ id: 'notes.list' }]), {}, ['wrong fixtures.operations.erase.id']],
  ['a refusal', jsonAnswer({}, { status: 403 }), {}, ['wrong fixtures.operations']],
])('from %s it reads whether the declared operations are there', ([, exchange, dialect, signs]) => {
  const found = judgeOperations(exchange, { fixtures, dialect })
  expect(found.map(({ is, about }) => `${is} ${about}`)).toEqual(signs)
})
