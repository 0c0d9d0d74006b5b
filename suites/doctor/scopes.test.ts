import { expect, test } from 'vitest'
import { jsonAnswer } from '../assertions/exchange.testkit.ts'
import type { Principal } from '../config/target.ts'
import { judgeCatalogues, judgeUsage } from './keys.ts'

const key = (name: string, scopes: Principal['scopes'], more: Partial<Principal> = {}): Principal => ({
  name,
  bearer: `sk-${name}`,
  scopes,
  agents: '*',
  account: 'one',
  sacrificial: false,
  ...more,
})
const main = key('main', ['chat', 'billing_read', 'agent_design_read'])
const plain = key('plain', ['chat'])

test.for([
  [main, 200, 'fine'],
  [main, 403, 'wrong'],
  [main, 401, 'open'],
  [main, 404, 'open'],
  [main, 429, 'open'],
  [main, 503, 'missing'],
  [plain, 403, 'fine'],
  [plain, 200, 'wrong'],
] as const)('a usage read is held against what is stated: %#', ([principal, status, is]) => {
  expect(judgeUsage(principal, jsonAnswer({}, { status }))).toMatchObject({
    is,
    about: `principals.${principal.name}.scopes`,
  })
})

const listed = jsonAnswer({ operations: [{ id: 'agent_setup.inspect' }, { id: 'notes.list' }] })
const without = jsonAnswer({ operations: [{ id: 'notes.list' }] })
const refused = jsonAnswer({}, { status: 403 })

test.for([
  ['as stated', listed, without, ['fine', 'fine']],
  ['the other way round', without, listed, ['wrong', 'wrong']],
  ['that nobody has it in', without, without, []],
  ['that only one gets', listed, refused, ['fine']],
] as const)('a list of operations %s is held against agent_design_read', ([, mains, plains, signs]) => {
  const answers = [
    { as: main, exchange: mains },
    { as: plain, exchange: plains },
  ]
  expect(judgeCatalogues(answers, { dialect: {} }).map(({ is }) => is)).toEqual(signs)
})
