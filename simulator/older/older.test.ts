import { afterEach, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../index.ts'
import type { SimulatorOptions } from '../simulator.ts'
import { Book, type Remember } from '../tenant/book.ts'
import { nothingStored } from '../tenant/conversations.ts'
import { createRandom } from '../tenant/random.ts'
import { retention } from '../limits.ts'
import { addToHistory, createOlderBooks } from '../tenant/older-books.ts'

const open: Simulator[] = []
afterEach(() => Promise.all(open.splice(0).map((simulator) => simulator.close())))
/** `send` gives the status of a message to the plain agent, with the plain key unless another is named. */
async function start(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({ clock: { mode: 'frozen' }, legacy: true, ...options })
  open.push(simulator)
  const { tenant, url } = simulator
  const send = async (said: string, token = tenant.olderKeys.plain, agent = tenant.agents.plain) => {
    const headers = { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ message: said })
    return (await fetch(`${url}/v1/agents/${agent}/chat`, { method: 'POST', headers, body })).status
  }
  return { simulator, send }
}

const message = 'Where is my order?'

describe('where the older variant is not served', () => {
  test.for(['GET', 'POST', 'DELETE'])(
    '%s meets what it meets at a path that nobody knows',
    async (method) => {
      const { simulator } = await start({ legacy: false })
      const { tenant, url } = simulator
      const ask = async (path: string) => {
        const headers = { authorization: `Bearer ${tenant.olderKeys.plain}` }
        const response = await fetch(`${url}${path}`, { method, headers })
        return [response.status, [...response.headers.keys()], await response.text()]
      }
      const unknown = await ask('/v1/nothing')
      expect(unknown[0]).toBe(404)
      expect(await ask(`/v1/agents/${tenant.agents.plain}/chat`)).toEqual(unknown)
      expect(await ask('/v1/conversations/any')).toEqual(unknown)
    },
  )

  test('it is by the interpretation, too, and stays as it was opened', async () => {
    const { send, simulator } = await start({ legacy: false, interpretations: { 'GAP-OLDER-SERVED': 'yes' } })
    expect(await send(message)).toBe(200)
    simulator.tenant.reset()
    expect(await send(message)).toBe(404)
    const other = await start()
    other.simulator.tenant.reset()
    expect(await other.send(message)).toBe(200)
  })
})

test('a key chooses its tenant, and is in no journal', async () => {
  const { send, simulator } = await start()
  const other = simulator.createTenant({ legacy: true })
  const token = other.olderKeys.plain
  await send(`My key is ${token}`, token, `${other.agents.plain}?key=${token}`)
  expect(await send(message, token, other.agents.plain)).toBe(200)
  expect(simulator.tenant.journal.entries()).toEqual([])
  const entries = await other.journal.waitFor({}, { count: 2 })
  expect(JSON.stringify(entries.map(({ path, headers }) => [path, headers]))).not.toContain(token)
  other.close()
  expect(await send(message, token)).toBe(401)
})

test('of what was said in a conversation, the newest 1,048,576 characters are remembered', () => {
  const remember: Remember = (kind, limit, how) =>
    new Book({ kind, changes: nothingStored, limit, now: () => 0, ...how })
  const place = { agents: new Map(), accounts: new Map(), remember, retention }
  const books = createOlderBooks(createRandom('said'), place)
  const conversation = { id: 'c', agent: 'a', account: 'b', turns: 0, presses: 0, current: 0 }
  const said = Array.from({ length: 200 }, (_, at) => ({
    role: 'user' as const,
    content: `${at}`.padEnd(10_000, '.'),
    at,
  }))
  for (const one of said) addToHistory(books, conversation, [one])
  const [history] = books.histories.values()
  expect(history?.said).toEqual(said.slice(-104))
})
