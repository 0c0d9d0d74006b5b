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
  expect(target).not.toHaveProperty('trace')
})

test('--no-trace is part of what names a target, so that a command of a report has it', async () => {
  const bare = { baseUrl: 'http://localhost:1', apiKey: 'env:KEY', agent: 'agent-1', trace: false }
  const { target } = await openTarget(undefined, bare, testIo({ env: { KEY: 'sk-1' } }))
  expect(target).toMatchObject({ trace: false })
  expect(target.arguments?.at(-1)).toBe('--no-trace')
})
