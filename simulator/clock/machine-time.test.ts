import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { skippingTime } from './clock.ts'
import { breathe } from './machine-time.ts'

afterEach(() => void vi.useRealTimers())

test('fake timers of the process hold nothing back', async () => {
  vi.useFakeTimers()
  const under = breathe()
  vi.useRealTimers()
  await under
  expect(await breathe()).toBeUndefined()
})

const minute = 60_000

test('timers run in the order of their times, and none is waited for', async () => {
  const time = skippingTime()
  const [began, really] = [time.elapsed(), performance.now()]
  const ran: string[] = []
  const passed = (name: string, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const forget = time.after(ms, () => resolve(void [forget(), ran.push(name)]))
    })
  const last = passed('at once', 0).then(() => passed('last', 3 * minute))
  time.after(2 * minute, () => void ran.push('forgotten'))()
  await Promise.all([last, passed('first', minute).then(() => passed('then', minute / 2))])

  expect(ran).toEqual(['at once', 'first', 'then', 'last'])
  expect(time.elapsed() - began).toBeGreaterThanOrEqual(3 * minute)
  expect(performance.now() - really).toBeLessThan(minute / 2)
})

test.each([
  [
    'an exchange between two sockets of the process',
    async () => {
      const server = createServer((request, response) => {
        request.resume().on('end', () => setImmediate(() => response.end('whole')))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x'.repeat(200_000) })
      await answer.text()
      server.close()
    },
  ],
  ['the reading of a file', () => readFile(import.meta.filename)],
])('%s comes before any timer', async (_, work) => {
  const time = skippingTime()
  let isLate = false
  const forget = time.after(minute, () => void (isLate = true))
  await work()
  forget()

  expect(isLate).toBe(false)
})
