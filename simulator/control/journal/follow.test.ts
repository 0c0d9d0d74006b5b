import { connect } from 'node:net'
import { createParser } from 'eventsource-parser'
import { afterEach, expect, test } from 'vitest'
import type { components } from '../../../spec/types/control.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../index.ts'
import { ShownBody } from './shown-body.ts'

type Event = components['schemas']['JournalEvent']

const open: Simulator[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))))

async function start(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({ clock: { mode: 'frozen', at: 0 }, ...options })
  open.push(simulator)
  const { tenant, url } = simulator
  const base = `${url}/_sim/v1/tenants/${tenant.id}`
  return {
    simulator,
    tenant,
    base,
    turn: (key: string, body: object = {}, agent: string = tenant.agents.plain) =>
      fetch(`${url}/api/v1/chat/${agent}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': key },
        body: JSON.stringify({ message: 'Hello', ...body }),
      }).then(async (response) => ({ status: response.status, text: await response.text() })),
    journal: async () =>
      ((await (await fetch(`${base}/journal`)).json()) as components['schemas']['Journal']).entries,
  }
}

/** Reads a stream of events as it comes. */
async function follow(base: string, query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${base}/journal/events${query}`, { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events: Event[] = []
  const ids: string[] = []
  let received = (): void => undefined
  const parser = createParser({
    onEvent: ({ data, id }) => {
      events.push(JSON.parse(data) as Event)
      if (id !== undefined) ids.push(id)
    },
  })
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }))
      received()
    }
  })().then(
    () => 'whole',
    () => 'cut',
  )
  return {
    events,
    ids,
    ended,
    until: (enough: (events: readonly Event[]) => boolean) =>
      new Promise<void>((resolve) => {
        received = () => enough(events) && resolve()
        received()
      }),
  }
}

const count = (events: readonly Event[], type: Event['type']): number =>
  events.filter((event) => event.type === type).length
const bodyOf = (events: readonly Event[], id: number): string =>
  events.flatMap((event) => (event.type === 'chunk' && event.id === id ? [event.text] : [])).join('')

test('each event of a turn arrives as it is sent, with its time on a frozen clock', async () => {
  const { tenant, base, turn } = await start({
    replyRules: [{ match: {}, reply: { text: 'One two.', tokenDelayMs: 1_000 } }],
  })
  const stream = await follow(base)
  const answered = turn('a', { stream: true })
  await stream.until((events) => count(events, 'headers') === 1)
  expect(stream.events).toMatchObject([
    { type: 'request', id: 1, method: 'POST', request: { body: '{"message":"Hello","stream":true}' } },
    { type: 'headers', id: 1, status: 200 },
  ])
  for (const tokens of [1, 2]) {
    await tenant.clock.advance(1_000)
    await stream.until((events) => count(events, 'chunk') >= tokens)
  }
  await answered
  await stream.until((events) => count(events, 'end') === 1)
  expect(stream.events.slice(2)).toMatchObject([
    { type: 'chunk', at: '1970-01-01T00:00:01.000Z', text: expect.stringContaining('One') as string },
    { type: 'chunk', at: '1970-01-01T00:00:02.000Z', text: expect.stringContaining('two') as string },
    { type: 'chunk', at: '1970-01-01T00:00:02.000Z', text: expect.stringContaining('"done"') as string },
    { type: 'end', id: 1, status: 200, closedBy: 'server', endedAt: '1970-01-01T00:00:02.000Z' },
  ])
})

test.for<[string, SimulatorOptions, object]>([
  ['a stream in pieces of three bytes', { variants: ['byte-by-byte'] }, { stream: true }],
  ['a JSON reply', {}, {}],
  [
    'a connection that is cut',
    { networkFaults: [{ times: 9, do: { is: 'cut', when: 'in', bytes: 30 } }] },
    { stream: true },
  ],
  ['a refusal on the way', { networkFaults: [{ times: 9, do: { is: 'refuse', code: 'RATE_LIMITED' } }] }, {}],
])('the parts of %s are the body in the journal, without keys', async ([, options, body]) => {
  const message = `my key is sk-${'a'.repeat(40)}é, is it?`
  const replyRules = [{ match: {}, reply: { text: 'You said {message}' } }] as const
  const { base, turn, journal } = await start({ ...options, replyRules })
  const stream = await follow(base)
  await turn('a', { ...body, message }).catch(() => undefined)
  await stream.until((events) => count(events, 'end') === 1)
  const [entry] = await journal()
  expect(bodyOf(stream.events, 1)).toBe(entry?.response?.body)
  expect(JSON.stringify(stream.events)).not.toContain('aaaa')
  const starts = entry?.chunks?.map(({ offset }) => offset) ?? []
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(stream.events.at(-1)).toMatchObject({ status: entry?.status, closedBy: entry?.closedBy })
})

test('a key that is split anywhere is shown in no part', () => {
  const text = `ask sk-${'b'.repeat(20)} and sess_${'c'.repeat(20)}, whsec_short; ends with s`
  const whole = new ShownBody()
  const expected = whole.piece(Buffer.from(text)) + whole.rest()
  expect(expected).toBe('ask [redacted] and [redacted], whsec_short; ends with s')
  for (const size of [1, 2, 3, 5, 8, 13, 21]) {
    const shown = new ShownBody()
    const bytes = Buffer.from(text)
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      shown.piece(bytes.subarray(n * size, (n + 1) * size)),
    )
    expect([...parts, shown.rest()].join('')).toBe(expected)
  }
})

test('a text that is nearly a key everywhere takes no longer than another', () => {
  const shown = new ShownBody()
  const part = Buffer.from('sess_ak_')
  for (let n = 0; n < 20_000; n++) shown.piece(part)
  expect(shown.piece(Buffer.from('!')) + shown.rest()).toBe('[redacted]!')
})

test('a stream goes on after the last event id, and repeats what was in flight', async () => {
  const { tenant, base, turn } = await start()
  const barrier = tenant.barriers.hold({ at: 'before-run', key: 'slow' })
  const first = await follow(base)
  await turn('a')
  const slow = turn('slow')
  await barrier.reached()
  await turn('b')
  await first.until((events) => count(events, 'end') === 2)
  expect(first.ids).toEqual(['1', '1'])
  const next = await follow(base, '?since=99', { 'last-event-id': first.ids.at(-1) ?? '' })
  barrier.release()
  await slow
  await next.until((events) => count(events, 'end') === 2)
  expect(next.events.flatMap((event) => (event.type === 'request' ? [event.id] : []))).toEqual([2, 3])
  expect(next.ids).toEqual(['1', '3'])
  const all = await follow(base, '?since=0')
  await all.until((events) => count(events, 'end') === 3)
})

test('a reader that stops delays nobody, and learns how much it lost', async () => {
  const { tenant, base, turn, simulator } = await start({
    journalCapacity: 3,
    unlimited: true,
    replyRules: [{ match: {}, reply: { text: 'y'.repeat(200_000) } }],
  })
  const socket = connect(simulator.port, '127.0.0.1')
  socket.write(`GET ${new URL(base).pathname}/journal/events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  // More than the buffers of both sockets.
  const turns = 60
  for (let n = 1; n <= turns; n++) await turn(`key-${n}`)
  expect(tenant.journal.watching).toBe(1)
  const events: Event[] = []
  const parser = createParser({ onEvent: ({ data }) => void events.push(JSON.parse(data) as Event) })
  const all = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      parser.feed(bytes.toString('latin1'))
      if (events.some((event) => event.type === 'end' && event.id === turns)) resolve()
    })
  })
  socket.resume()
  await all
  const lost = events.flatMap((event) => (event.type === 'lost' ? [event.entries] : []))
  expect(lost.reduce((sum, entries) => sum + entries, 0)).toBeGreaterThan(0)
  expect(count(events, 'end')).toBeLessThan(turns)
  socket.destroy()
})

test('streams are limited, and leave when their client does', async () => {
  const { base, tenant } = await start({ limits: { journalStreams: 1 } })
  const leave = new AbortController()
  await fetch(`${base}/journal/events`, { signal: leave.signal })
  const refused = await fetch(`${base}/journal/events`)
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('close one')])
  expect((await fetch(`${base}/journal/events?since=x`)).status).toBe(400)
  expect((await fetch(`${base}/journal/events`, { headers: { 'last-event-id': 'x' } })).status).toBe(400)
  leave.abort()
  await expect.poll(() => tenant.journal.watching).toBe(0)
})
