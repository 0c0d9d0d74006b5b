/** The page of `touchstone check --ui` in a real browser. */
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testIo } from '../../cli/process.testkit.ts'
import { startPage, targetText } from '../../cli/show/live/session.testkit.ts'
import { withRunPage } from '../../cli/show/run-page.ts'
import { createSimulator } from '../../simulator/index.ts'
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
    planned: {
      scenarios: ['a/one', 'a/two'].map((id) => ({ id, scenario, outlook: null })),
      plan: { checks: [] },
    },
    opening: {
      budgets: { requests: 300, turns: 100, credits: 50, wallSeconds: 1_800 },
      target: { kind: 'staging' },
    },
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

const failure = (number: number): Progress => ({
  is: 'finding',
  finding: finding({ verdict: 'fail', scenario: `later-${number}` }),
})

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

  test('is followed over a break of the connection without a loss, and is a recorded run when it has ended', async () => {
    const io = testIo()
    const finish = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const streams = streamsFrom()
    const options = { out: folders.faulty, runner: 'engine', origin: true } as const
    const code = withRunPage({ named: undefined, options }, io, async (_, observed) => {
      for (const step of steps) observed.on(step)
      await goOn.promise
      for (const number of [1, 2, 3]) observed.on(failure(number))
      await finish.promise
      return 1
    })
    await expect.poll(() => io.printed.err).toContain('#token=')
    const page = await browser.open(/http:\S+/.exec(io.printed.err)?.[0] ?? '')

    await page.getByText('1 of 2 scenarios have ended: a completed key is replayed').waitFor()
    await page.getByText('waiting 20 s: rate limit of key main').waitFor()
    await page.getByText('12 of 300').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'expected 200, got </pre><script>' }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await audit(page)).toEqual([])

    for (const stream of streams.sockets) stream.destroy()
    goOn.resolve()
    await page.getByText('Failures (4)').waitFor()
    expect(await page.getByRole('listitem').count()).toBe(4)
    await expect.poll(() => streams.sockets.length).toBe(2)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    streams.end()

    finish.resolve()
    await page.getByText('Failed and warned (1)').waitFor()
    expect([browser.complaints, await page.evaluate('globalThis.ran')]).toEqual([[], undefined])
    io.stop()
    expect(await code).toBe(1)
  })

  test('is followed by the failed checks again, whose verdicts stand beside the old ones', async () => {
    const out = join(folders.root, 'again')
    const only = ['--only', 'idempotency-replay/stream/*', '--fault', 'replay-unmarked']
    const session = await startPage(['check', 'simulator', ...only, '--quiet', '--out', out])
    const page = await browser.open(session.url)
    await page.getByRole('button', { name: 'Run all failed again' }).click()
    await page.getByText('IDEM-STREAM-REPLAY-HEADER, exit code 1').waitFor()
    await page.getByRole('link', { name: 'IDEM-STREAM-REPLAY-HEADER' }).click()
    const others = page.getByRole('list', { name: 'Other runs of this check' })
    await expect.poll(() => others.innerText()).toMatch(/Run again:\s+✗ fail\s+again\.rerun-1/)

    await page.getByRole('button', { name: /^Run again: idem/ }).click()
    await others.getByRole('link', { name: 'again.rerun-2' }).click()
    await page.getByText('Before:').first().waitFor()
    expect(await audit(page)).toEqual([])
    expect(browser.complaints).toEqual([])
    await page.getByText('This page was started without a policy file').waitFor()
    expect(await session.stop()).toBe(1)
  })

  test('edits and examines the target file, and waives a failure in the policy', async () => {
    const [target, policy] = [join(folders.root, 'target.yaml'), join(folders.root, 'policy.yaml')]
    await using simulator = await createSimulator({ faults: ['replay-unmarked'] })
    const text = targetText(simulator)
    writeFileSync(target, text)
    writeFileSync(policy, '# Reviewed every Monday.\n')
    const out = ['--out', join(folders.root, 'edited')]
    const only = ['--only', 'idempotency-replay/stream/*', '--quiet', ...out]
    const env = { MAIN: simulator.tenant.keys.main }
    const session = await startPage(['check', target, ...only], { env })
    const page = await browser.open(session.url, { viewport: { width: 400, height: 800 } })

    await page.getByRole('link', { name: 'Target' }).click()
    const editor = page.getByLabel('Target file')
    await editor.fill(text.replace('scopes: [chat]', 'scopes: [chat, everything]'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('everything').waitFor()
    expect(readFileSync(target, 'utf8')).toBe(text)
    await editor.fill(text.replace('plain: ', 'plain: no-'))
    await page.getByRole('button', { name: 'Examine' }).click()
    await page.getByText(/^\d+ wrong or missing$/).waitFor()
    await editor.fill(text.replace('name: ours', 'name: renamed'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('As on disk.').waitFor()
    expect(readFileSync(target, 'utf8')).toBe(text.replace('name: ours', 'name: renamed'))
    writeFileSync(target, text)
    await editor.fill(`${text}# mine`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('was changed on disk').waitFor()
    expect(readFileSync(target, 'utf8')).toBe(text)
    expect(await audit(page)).toEqual([])

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'IDEM-STREAM-REPLAY-HEADER' }).click()
    await page.getByLabel('Owner').fill('chat team')
    await page.getByLabel('Reason').fill('a proxy drops it')
    await page.getByLabel('Until').fill((await page.getByLabel('Until').getAttribute('max')) ?? '')
    expect(await audit(page)).toEqual([])
    await page.getByRole('button', { name: 'Add to the policy' }).click()
    await page.getByText('Written to').waitFor()
    expect(readFileSync(policy, 'utf8')).toMatch(
      /^# Reviewed every Monday\.\n\s*knownFailures:\n\s*- check: .*\n.*\n.*owner: chat team\n/,
    )
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(browser.complaints).toEqual([])
    expect(await session.stop()).toBe(1)
  })
})

/** The connections of the streams of this process. */
function streamsFrom() {
  const sockets: Socket[] = []
  const note = (message: unknown): void => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket }
    if (request.url === '/api/live/events') sockets.push(socket)
  }
  diagnostics.subscribe('http.server.request.start', note)
  return { sockets, end: () => void diagnostics.unsubscribe('http.server.request.start', note) }
}
