import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import schema from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import { createCaller } from '../chat/caller.testkit.ts'
import { agentFixtures, replyRuleFixtures, type AgentRole } from './fixtures.ts'

test('the fixtures say what agents do in the words that anybody may use', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)
  const replyRules: unknown[] = JSON.parse(JSON.stringify(replyRuleFixtures))
  expect(replyRules.filter((rule) => !validate(rule))).toEqual([])
})

test('an account without credits reaches the same agents and meets 402, another account finds its own only', async () => {
  const { say } = createCaller()
  const shared = (Object.keys(agentFixtures) as AgentRole[]).filter(
    (role) => !['paused', 'forbidden', 'foreign'].includes(role),
  )
  for (const agent of shared) {
    expect((await say({ message: 'm', idempotency_key: agent }, { as: 'broke', agent })).status).toBe(402)
    expect((await say({ message: 'm', idempotency_key: agent }, { as: 'other', agent })).status).toBe(404)
  }
  expect(
    (await say({ message: 'm', idempotency_key: 'own' }, { as: 'other', agent: 'foreign' })).status,
  ).toBe(200)
})

test.for([
  ['noChat', 'plain', 403],
  ['oneAgent', 'second', 200],
  ['oneAgent', 'plain', 403],
  ['noBilling', 'plain', 200],
  ['second', 'plain', 200],
  ['main', 'forbidden', 403],
  ['main', 'paused', 200],
  ['revoked', 'plain', 401],
] as const)('the key %s at the agent %s is answered %i', async ([as, agent, status]) => {
  const { say } = createCaller()
  expect((await say({ message: 'm', idempotency_key: 'k' }, { as, agent })).status).toBe(status)
})
