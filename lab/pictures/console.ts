/** Writes docs/images/console-*.png: the main views of the console, over a simulator in which something happened. */
import { join } from 'node:path'
import { openBrowser, simulatorWithConsole } from '../../test/console/open-console.ts'

const folder = join(import.meta.dirname, '../../docs/images')
const simulator = await simulatorWithConsole({ clock: { mode: 'real' } })
const browser = await openBrowser()
const page = await browser.open(`${simulator.url}/_sim/`, { viewport: { width: 1320, height: 760 } })

const view = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
const button = (name: string) => page.getByRole('button', { name, exact: true })
async function picture(name: string): Promise<void> {
  while ((await button('Dismiss').count()) > 0) await button('Dismiss').first().click()
  await page.screenshot({ path: join(folder, `console-${name}.png`) })
}

const { agents, keys } = simulator.tenant
async function turn(agent: keyof typeof agents, key: string, message: string, stream = false): Promise<void> {
  const response = await fetch(`${simulator.url}/api/v1/chat/${agents[agent]}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.main}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ message, stream }),
  }).catch(() => null)
  await response?.text()
}

await turn('plain', 'order-1001-turn-1', 'Where is my order?')
await turn('plain', 'order-1001-turn-1', 'Where is my order?')
await turn('plain', 'order-1001-turn-1', 'Where is it?')
await turn('tools', 'order-1002-turn-1', 'What does it cost?', true)
await view('Requests')
await page.getByText('4 requests', { exact: true }).waitFor()
await page.locator('.line[href]').first().click()
await page.locator('.timeline').waitFor()
await picture('requests')

await view('Conversations')
await page.getByLabel('Message', { exact: true }).fill('What do you have?')
await button('Send').click()
await button('Show more').click()
await page.getByText('no longer current').waitFor()
await button('Show more').first().click()
await page.getByText('stale button').first().waitFor()
await picture('conversations')

await view('Webhooks')
await button('Fill in an endpoint that refuses connections').click()
await button('Create').click()
await button('Trigger').click()
await page.getByText('Attempt 2 in').waitFor()
await button('Move the clock there').click()
await page.getByText('Attempt 3 in').waitFor()
await picture('webhooks')

await browser.close()
await simulator.close()
