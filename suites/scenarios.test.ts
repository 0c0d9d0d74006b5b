import { readFileSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatScenarios } from './chat/index.ts'
import type { Scenarios } from './runner/plan/plan.ts'
import { olderScenarios } from './older/index.ts'
import { operationScenarios } from './operations/index.ts'
import { webhookScenarios } from './webhooks/index.ts'

/** The scenarios of a server, by folder. */
const folders: Readonly<Record<string, Scenarios>> = {
  chat: chatScenarios,
  webhooks: webhookScenarios,
  operations: operationScenarios,
  older: olderScenarios,
}

describe.for(Object.entries(folders))('the scenarios of %s', ([name, scenarios]) => {
  // Those of the older variant are in one file.
  test.skipIf(name === 'older')('are all in the suite', () => {
    const folder = new URL(`${name}/`, import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => / scenario\(\{/.test(readFileSync(new URL(file, folder), 'utf8')))
      .map((file) => basename(file, '.ts'))
    const listed = new Set(Object.keys(scenarios).map((id) => id.split('/')[0]))
    expect(files.length).toBeGreaterThan(3)
    expect(new Set(files)).toEqual(listed)
  })

  test('name exchanges, judge something, cost no more turns than requests, and say whom they need', () => {
    const wrong = Object.entries(scenarios).filter(
      ([, { judge, observe, exchanges, cost, needs = {} }]) =>
        exchanges.length === 0 ||
        Object.keys({ ...judge, ...observe }).length === 0 ||
        cost.turns > cost.requests ||
        ((needs.receiver || needs.event !== undefined) && !needs.session),
    )
    expect(wrong.map(([id]) => id)).toEqual([])
  })
})
