import { expect, test } from 'vitest'
import { undeclared } from '../config/defaults.ts'
import type { Principal, Target } from '../config/target.ts'
import { judgeKey } from './keys.ts'

const main: Principal = {
  name: 'main',
  bearer: 'sk-1',
  scopes: ['chat'],
  agents: '*',
  account: 'main',
  sacrificial: false,
}
const noChat: Principal = { ...main, name: 'noChat', scopes: ['billing_read'] }
const former: Principal = { ...main, name: 'former', revoked: true }
const stranger: Principal = { ...main, name: 'stranger', account: 'other' }
const broke: Principal = { ...main, name: 'broke', account: 'broke' }
const target: Target = {
  ...undeclared,
  name: 'acme',
  kind: 'staging',
  baseUrl: 'http://localhost:1',
  principals: [main, noChat, former, stranger, broke],
  agents: { plain: 'agent-1' },
  states: { 'credits.exhausted': { provide: 'fixture', principal: 'broke' } },
}

const usual = { keysFirst: true, agentsFirst: true }
const bodiesFirst = { keysFirst: false, agentsFirst: false }

test.for([
  [main, 400, 'fine'],
  [main, 401, 'wrong'],
  [main, 402, 'wrong'],
  [main, 403, 'wrong'],
  [main, 404, 'wrong'],
  [main, 429, 'open'],
  [main, 418, 'open'],
  [main, 503, 'missing'],
  [main, null, 'missing'],
  [broke, 402, 'fine'],
  [stranger, 404, 'fine'],
  [stranger, 403, 'fine'],
  [noChat, 403, 'fine'],
  [noChat, 400, 'open'],
  [noChat, 401, 'wrong'],
  [former, 401, 'fine'],
  [former, 400, 'wrong'],
] as const)('a key is judged by what it is declared to be: %#', ([principal, status, is]) => {
  const sign = judgeKey({ status, failure: 'timeout' }, { principal, target, agent: 'agent-1', order: usual })
  expect(sign).toMatchObject({ is, about: `principals.${principal.name}` })
})

test.for([main, noChat, former])(
  'where bodies are looked at first, 400 is for and against nothing',
  (principal) => {
    const one = { principal, target, agent: 'agent-1', order: bodiesFirst }
    expect(judgeKey({ status: 400, failure: '' }, one).is).toBe('open')
  },
)
