import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { states } from '../../spec/index.ts'
import { testIo } from '../process.testkit.ts'
import { openTarget } from './target.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
const file = join(folder, 'touchstone.yaml')
writeFileSync(
  file,
  [
    'apiVersion: touchstone/v1',
    'target: { name: acme, kind: staging, baseUrl: "http://localhost:1" }',
    'principals: { main: { bearer: "env:KEY", scopes: [chat] } }',
    'agents: { plain: agent-1 }',
    'profile: exhaustive',
    'budgets: { requests: 10, turns: 10, credits: 10 }',
    'states:',
    ...Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`),
  ].join('\n'),
)

test('the command line wins over the environment, and the environment over the file', async () => {
  const env = { KEY: 'sk-1', TOUCHSTONE_BUDGETS__REQUESTS: '20', TOUCHSTONE_BUDGETS__TURNS: '20' }
  const { target } = await openTarget(file, { maxRequests: 30 }, testIo({ env }))
  expect(target.budgets).toMatchObject({ requests: 30, turns: 20, credits: 10 })
  expect(target.profile).toBe('exhaustive')
})
