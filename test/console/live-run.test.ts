/** The page of `touchstone check --ui` in a real browser, over a run whose progress the test makes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testIo } from '../../cli/process.testkit.ts'
import { withRunPage } from '../../cli/show/run-page.ts'
import { finding } from '../../reports/testing/run.testkit.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import { audit } from '../pages/audit.ts'
import { executable, why } from '../pages/browser.ts'
import { openBrowser, type ConsoleBrowser } from './open-console.ts'
import { hostileText, shownFolders, type ShownFolders } from './shown-runs.ts'

const scenario = { cost: { requests: 9, turns: 4 } }
const steps = [
  {
    is: 'planned',
    planned: { scenarios: ['a/one', 'a/two'].map((id) => ({ id, scenario, outlook: null })) },
    opening: { budgets: { requests: 300, turns: 100, credits: 50 }, target: { kind: 'staging' } },
  },
  { is: 'scenario', scenario: 'a/one', title: 'a completed key is replayed', at: 1, of: 2 },
  {
    is: 'finding',
    finding: finding({ verdict: 'fail', scenario: 'a/one', expected: '200', got: hostileText }),
  },
  {
    is: 'spent',
    used: { requests: 12, turns: 3, credits: 2, wallSeconds: 1 },
    waiting: { ms: 20_000, principal: 'main' },
  },
] as unknown as readonly Progress[]

describe.skipIf(executable === undefined)(`a run in progress in a browser (or ${why})`, () => {
  let folders: ShownFolders
  let browser: ConsoleBrowser
  beforeAll(async () => {
    ;[folders, browser] = await Promise.all([shownFolders(), openBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    folders.remove()
  })

  test('is shown with its wait, its usage and its failures, and as a recorded run when it has ended', async () => {
    const io = testIo()
    const finish = Promise.withResolvers<void>()
    const code = withRunPage({ out: folders.faulty }, io, async (observed) => {
      for (const step of steps) observed.on(step)
      await finish.promise
      return 1
    })
    await expect.poll(() => io.printed.err, { timeout: 20_000 }).toContain('#token=')
    const page = await browser.open(/http:\S+/.exec(io.printed.err)?.[0] ?? '')

    await page.getByText('Scenario 1 of 2: a completed key is replayed').waitFor()
    expect(await page.getByText('waiting 20 s: rate limit of key main').count()).toBe(1)
    expect(await page.getByText('12 of 300').count()).toBe(1)
    expect(
      await page.getByRole('listitem').filter({ hasText: 'expected 200, got </pre><script>' }).count(),
    ).toBe(1)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await audit(page)).toEqual([])

    finish.resolve()
    await page.getByText('Failed and warned (1)').waitFor()
    expect([browser.complaints, await page.evaluate('globalThis.ran')]).toEqual([[], undefined])
    io.stop()
    expect(await code).toBe(1)
  })
})
