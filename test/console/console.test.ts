/** The console in a real browser: each thing done by clicks, and seen from outside by the responses of the service. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Simulator } from '../../simulator/index.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { entriesInArchive } from '../../suites/traffic/har.ts'
import { audit } from '../pages/audit.ts'
import { executable, why } from '../pages/browser.ts'
import { openBrowser, simulatorWithConsole, type ConsoleBrowser } from './open-console.ts'

const run = promisify(execFile)
/** A busy machine takes its time; on others it is there at once. */
const soon = { timeout: 20_000 }
const outputOf = (error: unknown) => error as { readonly stdout: string }
const root = resolve(import.meta.dirname, '../..')

describe.skipIf(executable === undefined)(`the console in a browser (or ${why})`, () => {
  let browser: ConsoleBrowser
  let simulator: Simulator
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    simulator = await simulatorWithConsole({ clock: { mode: 'frozen' } })
    page = await browser.open(`${simulator.url}/`)
  })
  afterEach(async () => {
    await page.context().close()
    await simulator.close()
    if (browser.complaints.length > 0) throw new Error(browser.complaints.splice(0).join('\n'))
  })

  const view = async (name: string): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
  const button = (name: string, scope: Pick<Page, 'getByRole'> = page) =>
    scope.getByRole('button', { name, exact: true })
  const turn = (
    message: string,
    key: string,
    agent: keyof Simulator['tenant']['agents'] = 'plain',
    more = {},
  ) =>
    fetch(`${simulator.url}/api/v1/chat/${simulator.tenant.agents[agent]}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${simulator.tenant.keys.main}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
      },
      body: JSON.stringify({ message, ...more }),
    })

  test('a customer writes, presses a button and a stale one, and the agent is paused', async () => {
    await view('Conversations')
    await page.getByLabel('Message', { exact: true }).fill('Hello')
    await button('Send').click()
    await button('Show more').click()
    await page.getByText('pressed').waitFor()
    await page.reload()
    await page.getByRole('log').getByText('pressed').waitFor()
    await button('Show more').first().click()
    await page.getByText('stale button').first().waitFor()
    await button('Pause the agent').click()
    await page.getByText('AI replies are paused', { exact: true }).waitFor()

    const stored = await turn('And now?', 'paused', 'workflow')
    expect(await stored.json()).toMatchObject({ response: '', customer_message: {} })
    await button('Resume the agent').click()
    await button('Pause the agent').waitFor()
    expect((await turn('And now?', 'resumed', 'workflow')).status).toBe(200)
  })

  test('a turn that is held, cut or fails is shown where it was written', async () => {
    await view('Conversations')
    const write = async (message: string, agent: string): Promise<void> => {
      await page.getByText('New conversation').first().click()
      await page.getByLabel('Agent').selectOption(agent)
      await page.getByLabel('Message', { exact: true }).fill(message)
      await button('Send').click()
    }
    const log = page.getByRole('log')
    await write('fail', 'failing')
    await log.getByText('failed', { exact: true }).waitFor()
    simulator.tenant.addNetworkFaults([{ do: { is: 'cut', when: 'in', bytes: 40 } }])
    await write('cut me', 'plain')
    await log.getByText('cut off', { exact: true }).waitFor()
    await view('Network faults')
    await button('503').click()
    await page.getByText('The next chat turn gets 503.').waitFor()
    await button('402').click()
    await page.getByText('After 1 more, the next chat turn gets 402.').waitFor()
    const statuses = [await turn('first', 'queued-1'), await turn('second', 'queued-2')]
    expect(statuses.map(({ status }) => status)).toEqual([503, 402])
    await view('Conversations')
    await view('Turns in flight')
    await button('Hold').click()
    await view('Conversations')
    await write('hold me', 'plain')
    await log.getByText('Waiting for the reply…').waitFor()
    await page.getByText('1 hold', { exact: true }).waitFor()
    await view('Turns in flight')
    await button('Release').click()
    await page.getByText('No turn is in flight.').waitFor()
    expect(page.url()).toContain('#/turns')
  })

  test('requests are copied as commands, as tests that judge the response, and as reply rules', async () => {
    await turn('Hello', 'k1')
    await turn('Hello', 'k1')
    await turn('Other', 'k1')
    await turn('Stream "it" é', 'k2', 'workflow', { stream: true }).then((response) => response.text())
    simulator.tenant.setCredits('main', 0)
    await turn('Hello', 'k3')
    simulator.tenant.setCredits('main', 100)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const show = async (id: number): Promise<void> => {
      await page.evaluate(`location.hash = '#/requests/${id}'`)
      await page.getByRole('region', { name: `Request ${id}`, exact: true }).waitFor()
    }
    const copied = async (name: string): Promise<string> => {
      await page.evaluate('navigator.clipboard.writeText("")')
      await button(`Copy as ${name}`).click()
      const text = () => page.evaluate<string>('navigator.clipboard.readText()')
      await expect.poll(text, soon).not.toBe('')
      return text()
    }
    const folder = temporaryFolder(onTestFinished)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const env = { ...process.env, SERVICE_API_KEY: simulator.tenant.keys.main, NO_COLOR: '1' }
    const runner = join(root, 'node_modules/vitest/vitest.mjs')
    const inOneWorker = ['--no-isolate', '--maxWorkers', '1']
    const vitest = () =>
      run(process.execPath, [runner, 'run', '--root', folder, ...inOneWorker], { cwd: root, env })
    const pytest = () => run('python3', ['-m', 'pytest', '-q', folder], { cwd: tmpdir(), env })
    for (const id of [1, 2, 3, 4]) {
      await show(id)
      const texts = [await copied('vitest'), await copied('pytest')]
      expect(texts.join('')).not.toContain(simulator.tenant.keys.main)
      expect(texts.join('')).not.toContain('traceparent')
      writeFileSync(join(folder, `copied-${id}.test.ts`), texts[0] ?? '')
      writeFileSync(join(folder, `test_copied_${id}.py`), texts[1] ?? '')
      expect(await button('Copy as reply rule').count()).toBe(id === 3 ? 0 : 1)
    }
    expect(JSON.parse(await copied('reply rule'))).toMatchObject([
      {
        match: { message: 'Stream "it" é' },
        reply: { presentation: { buttons: ['Show more', 'Change something', 'Talk to somebody'] } },
      },
    ])
    await show(1)
    const curl = await run('bash', ['-c', await copied('curl')])
    expect(JSON.parse(curl.stdout)).toMatchObject({ response: 'You said: Hello' })
    await show(5)
    expect(await copied('vitest')).toContain('toContain("INSUFFICIENT_CREDITS")')

    for (const { stdout } of await Promise.all([vitest(), pytest()])) expect(stdout).toContain('4 passed')
    simulator.tenant.setModifications({ faults: ['credits-as-text', 'done-without-credits'] })
    for (const { stdout } of await Promise.all([vitest(), pytest()].map((one) => one.catch(outputOf))))
      expect(stdout).toContain('3 failed')
  }, 120_000)

  test('a request is found by keyboard, changed, sent again with its key or a new one, and exported', async () => {
    await turn('Hello', 'k1')
    await turn('Other', 'k2')
    await view('Requests')
    await page.getByText('2 requests', { exact: true }).waitFor()
    const shown = (id: number) => page.getByRole('region', { name: `Request ${id}`, exact: true })
    for (const [at, key] of ['ArrowDown', 'ArrowDown', 'Home', 'End'].entries()) {
      await page.keyboard.press(key)
      await shown(at % 2 === 0 ? 2 : 1).waitFor()
    }
    for (const [id, name, body, outcome] of [
      [3, 'Send with the same key', '{"message":"Hello"}', 'replay'],
      [4, 'Send with the same key', '{"message":"Hi"}', 'conflict'],
      [5, 'Send with a new key', '{"message":"Hi"}', 'answered'],
    ] as const) {
      await page.getByText('Edit and send again').click()
      await page.getByLabel('Body').fill(body)
      await button(name).click()
      await shown(id).getByText(outcome, { exact: true }).waitFor()
    }
    const focus = () => page.evaluate('document.activeElement?.ariaLabel')
    for (const [field, text, problem] of [
      ['Path', 'api', 'Path: begin with one /.'],
      ['Headers', 'Accept: */*\nno colon', 'Headers, line 2: not a header'],
      ['Headers', 'a b: 1', 'Headers, line 1: not a header'],
    ] as const) {
      await page.getByText('Edit and send again').click()
      await page.getByLabel(field, { exact: true }).fill(text)
      await button('Send with a new key').click()
      await page.getByRole('status').getByText(problem).waitFor()
      await page.reload()
    }
    await page.getByText('Edit and send again').click()
    const headers = page.getByLabel('Headers', { exact: true })
    await headers.fill((await headers.inputValue()).replace(/^.*idempotency-key.*$/im, ''))
    await button('Send with a new key').click()
    await shown(6).getByText('answered', { exact: true }).waitFor()
    await expect.poll(focus, soon).toBe('Request 6')
    await page.keyboard.press('Escape')
    await shown(6).waitFor({ state: 'detached' })
    const download = page.waitForEvent('download')
    await button('Export as HAR').click()
    const har = readFileSync(await (await download).path(), 'utf8')
    expect(har).not.toContain(simulator.tenant.keys.main)
    expect(har).toContain('Bearer [[key:main]]')
    const archive = [...entriesInArchive(await (await download).path())]
    expect(archive.map(({ response, failure }) => [response?.status, failure])).toEqual(
      [200, 200, 200, 409, 200, 200].map((status) => [status, null]),
    )
    await button('Clear').click()
    await view('Webhooks')
    await view('Requests')
    await page.getByText('Nothing to show.').waitFor()
    await button('Show again').click()
    await expect.poll(() => page.locator('.line[href]').count(), soon).toBe(6)
  })

  test('operations are run with a form, and an approval shows what it would do', async () => {
    await view('Operations')
    await page.getByLabel('Operation', { exact: true }).selectOption('customers.erase')
    await page.getByLabel('note').fill('as agreed')
    await button('Run').click()
    await page
      .getByText('would run with customerId cus_1001, reason customer-asked, note as agreed')
      .waitFor()
    await button('Approve').click()
    await page.getByText('approved', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.tagName'), soon).toBe('LI')
    await button('Run again with the same idempotency key').click()
    await page.getByText('completed', { exact: true }).waitFor()
    await page.reload()
    await button('Send again with the same key').click()
    await page.getByLabel('the response').getByText('"status": "completed"').waitFor()
    await view('Operations')
    for (const operation of await page.getByLabel('Operation', { exact: true }).locator('option').all()) {
      const id = (await operation.textContent()) ?? ''
      await page.getByLabel('Operation', { exact: true }).selectOption(id)
      await button('Run').click()
      // What does not fit its schema gets 400.
      const shown = page.locator('form .badge:not(.quiet)', { hasText: /^\d+$/ })
      await expect
        .poll(async () => [id, await shown.textContent()], soon)
        .toEqual([id, expect.stringMatching(/^(?:20[0-2]|422)$/)])
    }
  })

  test('a webhook is created, edited, triggered with an own payload, turned off and deleted', async () => {
    const webhooks = () => [...simulator.tenant.state.webhooks.values()]
    await view('Webhooks')
    await page.getByLabel('Endpoint', { exact: true }).fill('ftp://localhost/')
    await button('Create').click()
    await page.getByText('endpoint_url: The scheme').waitFor()
    await button('Create').click()
    await page.getByText('endpoint_url: The scheme').waitFor()
    await button('Fill in an endpoint that refuses connections').click()
    await page.getByText('All events').click()
    await page.getByLabel('message.sent').uncheck()
    await page.getByLabel('Custom headers').fill('X-Team: orders')
    await button('Create').click()
    await button('Edit').click()
    const row = page.getByRole('listitem')
    await row.getByLabel('Endpoint', { exact: true }).fill('http://localhost:9/changed')
    await button('Save').click()
    await row.getByText('http://localhost:9/changed').waitFor()
    expect(webhooks()).toMatchObject([{ customHeaders: [['X-Team', 'orders']] }])
    expect(webhooks()[0]?.events).toHaveLength(17)
    expect(await page.getByText('endpoint_url: The scheme').count()).toBe(0)
    for (const [payload, words] of [
      ['[1]', 'The payload must be a JSON object'],
      ['{"order":7}', 'Sent leads.submit to 1 webhook.'],
    ] as const) {
      await page.getByLabel('Payload').fill(payload)
      await button('Trigger').click()
      await page.getByText(words).waitFor()
    }
    await button('Turn off').click()
    await expect.poll(() => webhooks()[0]?.isActive, soon).toBe(false)
    await button('Trigger').click()
    await page.getByText('Sent to no webhook').waitFor()
    await button('Turn on').click()
    await expect.poll(() => webhooks()[0]?.isActive, soon).toBe(true)
    await button('Delete').click()
    await button('Yes, delete').click()
    await expect.poll(webhooks, soon).toEqual([])
  })

  test('faults and the clock are switched, by clicks and by a link', async () => {
    await view('Faults and variants')
    const shown = page.locator('details', { hasText: 'Ten faults' }).getByRole('rowheader')
    const simulate = readFileSync(join(root, 'docs/simulate.md'), 'utf8')
    const named = simulate.matchAll(/^npx touchstone check simulator --fault (\S+)/gm)
    await expect
      .poll(async () => (await shown.allTextContents()).map((text) => text.trim()), soon)
      .toEqual([...named].map(([, name]) => name))
    await page.getByLabel('Search faults, variants and interpretations').fill('replay-unmarked')
    await page.getByRole('checkbox').first().click()
    await page.getByRole('main').getByText('fault replay-unmarked').waitFor()
    await turn('Hello', 'k1')
    expect((await turn('Hello', 'k1')).headers.get('x-service-idempotent-replay')).toBeNull()
    await page.evaluate(`location.hash = '#/requests/2'`)
    for (const fact of ['replayed; credits charged: 0 (reply says 1)', 'replay-unmarked'])
      await page.locator('.detail').getByText(fact, { exact: true }).waitFor()
    await view('Faults and variants')
    await button('Switch all off').click()
    await page.getByText('the simulator conforms').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.tagName'), soon).toBe('SECTION')
    await page.goto(`${simulator.url}/_sim/#/switches?faults=replay-unmarked&variants=&interpretations=`)
    await button('Switch').click()
    await page.getByRole('main').getByText('fault replay-unmarked').waitFor()
    expect(simulator.tenant.faults).toEqual(['replay-unmarked'])

    await view('Clock')
    const before = simulator.tenant.clock.now()
    await button('+1 h').click()
    await expect.poll(() => simulator.tenant.clock.now() - before, soon).toBe(3_600_000)
  })

  test('a situation is prepared and met, and another tenant has keys of its own', async () => {
    simulator.tenant.barriers.hold({ at: 'before-run' })
    await button('Try expired-button').click()
    await button('Send').first().waitFor()
    for (const send of await button('Send').all()) await send.click()
    await expect
      .poll(() => page.getByText('as expected', { exact: true }).count(), soon)
      .toBe(await button('Send').count())
    // Chromium repeats a POST by itself where a connection breaks that was used before.
    for (let times = 0; times < 3; times++) {
      await button('Try uncertain-outcome').click()
      // What was there before has answers: its buttons are not those of the new one.
      await expect.poll(() => page.getByLabel('the response').count(), soon).toBe(0)
      for (const outcome of ['No response: ', 'OUTCOME_UNCERTAIN']) {
        const send = button('Send').nth(outcome.startsWith('No') ? 0 : 1)
        await send.click()
        await page.getByLabel('the response').filter({ hasText: outcome }).waitFor()
      }
    }
    await view('Tenants and snapshots')
    await button('Create a tenant').click()
    await page.getByLabel('Tenant', { exact: true }).waitFor()
    await view('Start here')
    await expect.poll(() => page.getByText(simulator.tenant.keys.main).count(), soon).toBe(0)
    expect(simulator.tenants).toHaveLength(2)

    await view('Tenants and snapshots')
    await button('Remove').nth(1).click()
    await button('Cancel').click()
    expect(simulator.tenants).toHaveLength(2)
    await button('Remove').nth(1).click()
    await button('Yes, remove').click()
    await page.getByText('Removed tenant').waitFor()
    expect(simulator.tenants).toHaveLength(1)
    await page.evaluate(`location.hash = '#/requests?tenant=tenant_gone'`)
    await page.getByText('There is no tenant tenant_gone').waitFor()
    await button(simulator.tenant.id).click()
    await page.getByLabel('Search in paths, keys and bodies').waitFor()
    await page.evaluate(`location.hash = '#/requests/9999'`)
    await page.getByText('There is no request 9999.').waitFor()
  })

  test('with a token it asks once, and keeps it in memory', async () => {
    const guarded = await simulatorWithConsole({ controlToken: 'a-token-of-the-control-plane' })
    try {
      await page.goto(`${guarded.url}/_sim/`)
      await page.getByLabel('Token').fill('a-token-of-the-control-plane')
      await button('Open the console').click()
      await page.getByText('live', { exact: true }).waitFor()
      const stored = '[localStorage.length, sessionStorage.length, document.cookie].join()'
      expect(await page.evaluate(stored)).toBe('0,0,')
    } finally {
      await guarded.close()
    }
  })

  test('texts of others stay texts, in every view', async () => {
    const hostile = `</script><img src=x onerror="window.ran=true">{{7*7}}`
    await turn(hostile, `k<b>`, 'workflow')
    await turn(hostile, 'k2', 'plain', { stream: true }).then((response) => response.text())
    const names = ['Requests', 'Conversations', 'Turns in flight', 'Webhooks', 'Tenants and snapshots']
    for (const name of names) {
      await view(name)
      const first = page.locator('.line[href], .chat aside a:not(.new)').first()
      if (await first.count()) await first.click()
    }
    expect(await page.evaluate('[window.ran ?? null, document.images.length]')).toEqual([null, 0])
  })

  test('two browsers see the same, and a page follows a simulator that is started again', async () => {
    const other = await browser.open(`${simulator.url}/_sim/#/requests`)
    await view('Requests')
    await turn('Hello', 'k1')
    await Promise.all([page, other].map((one) => one.getByText('1 request', { exact: true }).waitFor()))
    const { port } = simulator
    await simulator.close()
    await page.getByText('not connected').waitFor()
    await view('Conversations')
    const message = page.getByLabel('Message', { exact: true })
    await message.fill('Important')
    await button('Send').click()
    await page.getByText('Not sent.').waitFor()
    await view('Requests')
    await view('Conversations')
    expect(await message.inputValue()).toBe('Important')
    await view('Requests')
    simulator = await simulatorWithConsole({ port })
    await page.getByText('The simulator was started again').waitFor()
    await turn('Hello', 'k2')
    await turn('Hello', 'k3')
    for (const one of [page, other]) await expect.poll(() => one.locator('.line[href]').count(), soon).toBe(2)
    await other.context().close()
  })

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 400, height: 800 } }],
  ] as const)('everybody can read it: %s', async (_, options) => {
    await turn('Hello', 'k1', 'workflow')
    const shown = await browser.open(`${simulator.url}/_sim/`, options)
    const found: string[] = []
    const ids =
      'start requests/1 conversations turns network-faults webhooks operations clock switches tenants'
    for (const id of ids.split(' ')) {
      await shown.goto(`${simulator.url}/_sim/#/${id}`)
      await shown.getByText('live', { exact: true }).waitFor()
      await expect.poll(() => shown.evaluate('document.body.innerText'), soon).not.toContain('Loading…')
      found.push(...(await audit(shown)).map((problem) => `${id}: ${problem}`))
      const wide = await shown.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (wide > 0) found.push(`${id}: ${wide} pixels too wide`)
    }
    expect(found).toEqual([])
    await shown.context().close()
  })

  test('the keyboard alone is enough', async () => {
    await page.getByText('live', { exact: true }).waitFor()
    const press = (...keys: string[]) =>
      keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve())
    const focusOn = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps++) {
        await press('Tab')
        const text = await page.evaluate(
          'document.activeElement?.ariaLabel ?? document.activeElement?.textContent',
        )
        if (text === name) return
      }
      throw new Error(`no way to ${name}`)
    }
    await focusOn('Conversations')
    await press('Enter')
    await focusOn('Message')
    await page.keyboard.type('Hello')
    await press('Enter')
    await expect.poll(() => page.getByRole('log').innerText(), soon).toContain('Hello')
  })
})
