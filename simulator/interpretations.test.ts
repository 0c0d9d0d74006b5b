import { expect, test } from 'vitest'
import { chatGaps } from '../spec/gaps/chat.ts'
import type { Interpretations } from '../spec/index.ts'
import { rulesOf } from './base-rules.ts'
import { createCaller, errorOf, type Said } from './testing/caller.testkit.ts'
import { interpretationsOf } from './modification/modification.ts'

const hello = { message: 'hello', idempotency_key: 'k' }
const brief = (said: Said): string =>
  `${said.status} ${said.headers['x-service-idempotent-replay'] ?? ''} ${errorOf(said)}`

test('every rule has an entry, whatever the interpretations', () => {
  const names = Object.keys(rulesOf(interpretationsOf({}))).sort()
  for (const [gap, { interpretations }] of Object.entries(chatGaps))
    for (const interpretation of Object.keys(interpretations))
      expect(Object.keys(rulesOf(interpretationsOf({ [gap]: interpretation }))).sort()).toEqual(names)
})

test('an interpretation that does not exist is refused with those that do', () => {
  expect(() =>
    interpretationsOf({ 'GAP-IDENTICAL': 'maybe' } as unknown as Partial<Interpretations>),
  ).toThrow('replay, conflict')
  expect(() => interpretationsOf({ 'GAP-NONE': 'x' } as unknown as Partial<Interpretations>)).toThrow(
    'GAP-NONE',
  )
})

test('the same request is identical whichever way it carries its key, also where bytes count', async () => {
  const { say } = createCaller({ interpretations: { 'GAP-SPELLING': 'conflict' } })
  await say(hello)
  const inHeader = await say({ message: 'hello' }, { headers: [['X-Idempotency-Key', 'k']] })
  expect(brief(inHeader)).toBe('200 true ')
})
