import { afterEach, expect, test } from 'vitest'
import { createSimulator, type JournalEntry, type Simulator } from '../index.ts'
import type { SimulatorOptions } from '../simulator.ts'
import { chatBytes, dial, exchange } from '../testing/socket.testkit.ts'

/** More than the buffers between two sockets of one machine take. */
const tokens = Array.from({ length: 256 }, (_, at) => `${at}:`.padEnd(48 * 1024, '.'))

let simulator: Simulator
afterEach(() => simulator.close())

async function start(limits: SimulatorOptions['limits'] = {}): Promise<void> {
  const replyRules = [{ match: { message: 'at length' }, reply: { tokens } }]
  simulator = await createSimulator({ replyRules, limits })
}

const body = (message: string, key: string): string =>
  JSON.stringify({ message, stream: true, idempotency_key: key })

/** A client that requests a long stream and reads only on demand. */
function askAndWait(key: string) {
  const socket = dial(simulator).pause()
  socket.write(chatBytes(simulator, { body: body('at length', key) }))
  return socket
}

const ended = async (): Promise<JournalEntry | undefined> => (await simulator.tenant.journal.waitFor({}))[0]

test('a client that reads nothing of its stream is dropped, and its turn is charged and replayed', async () => {
  await start({ stalledMs: 50 })
  askAndWait('k')
  const entry = await ended()
  expect(entry).toMatchObject({ status: 200, closedBy: 'drop' })
  expect(entry?.response.length).toBeLessThan(tokens.length)
  const again = await exchange(simulator, { body: body('at length', 'k') })
  expect(again.text).toContain('X-Service-Idempotent-Replay: true')
  expect(simulator.tenant.credits('main')).toBe(999_999)
})

test('a stream that is silent because its turn takes its time is not dropped', async () => {
  await start({ stalledMs: 50 })
  const barrier = simulator.tenant.barriers.hold({ at: 'after-token:1', key: 'held' })
  const held = exchange(simulator, { body: body('a b', 'held') })
  await barrier.reached()
  // Two that stall one after the other take longer than the timeout with one.
  for (const key of ['first', 'second']) {
    askAndWait(key)
    await simulator.tenant.journal.waitFor({}, { count: key === 'first' ? 1 : 2 })
  }
  barrier.release()
  expect((await held).body).toContain('"type":"done"')
})
