import { expect, test } from 'vitest'
import { unmarked } from './answer.ts'
import { jsonAnswer, reply } from './exchange.double.ts'

const json = ['content-type', 'application/json'] as const
const marked = (value: string) =>
  jsonAnswer(reply, { headers: [json, ['X-Service-Idempotent-Replay', value]] })

test.for([
  ['has no header for it', jsonAnswer(reply), 'pass'],
  ['denies it', marked('false'), 'pass'],
  ['says so', marked('true'), 'broken'],
] as const)('whether an answer passes as no replay: it %s', ([, exchange, expected]) => {
  expect(unmarked(exchange).is).toBe(expected)
})
