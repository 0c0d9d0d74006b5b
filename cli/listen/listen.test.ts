import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { identifiersOf } from '../../spec/identifiers.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { readJournal } from '../../bundle/journal/codec.ts'
import { main } from '../main.ts'
import { testIo } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const secret = 'hush'
const folder = temporaryFolder()

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Line = Readonly<Record<string, unknown>>

/** A listener within the test, as JSON unless it is to be for a person. */
async function listening(argv: readonly string[] = [], is: 'json' | 'words' = 'json') {
  const io = testIo({ env: { SECRET: secret } })
  const json = is === 'json' ? ['--json'] : []
  const code = main(['listen', '--port', '0', ...json, ...argv], io)
  closing.push(() => (io.stop(), code))
  const lines = (): readonly Line[] =>
    io.printed.out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  await expect.poll(() => io.printed.out + io.printed.err).toMatch(/http:\S+/)
  const [url = ''] = /http:[^"\s]+/.exec(io.printed.out + io.printed.err) ?? []
  const deliveries = (): number =>
    is === 'json'
      ? lines().filter((line) => line['is'] === 'delivery').length
      : io.printed.out.split('\n').length - 1
  /** Resolves once so many deliveries are reported. */
  const reported = (count: number) => expect.poll(deliveries).toBe(count)
  return { io, url, lines, reported, end: () => (io.stop(), code) }
}

interface Sent {
  id?: string
  event?: string
  body?: string
  key?: string
  headers?: Readonly<Record<string, string>>
}

const bodyOf = (event: string): string =>
  JSON.stringify({
    eventType: event,
    chatbotId: 'a',
    timestamp: '2026-01-02T03:04:05Z',
    payload: { said: '\u2028 é' },
  })

function deliver(url: string, sent: Sent = {}): Promise<Response> {
  const { id = 'whd_0123456789abcdef', event = 'order.confirmed', key = secret, headers = {} } = sent
  const { body = bodyOf(event) } = sent
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': event,
      'x-service-delivery-id': id,
      'x-service-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      ...headers,
    },
  })
}

const under = (vendor: string): Sent => {
  const { userAgent, eventHeader, deliveryIdHeader, signatureHeader } = identifiersOf(vendor)
  const signature = createHmac('sha256', secret).update(bodyOf('order.confirmed')).digest('hex')
  return {
    headers: {
      'user-agent': userAgent,
      [eventHeader]: 'order.confirmed',
      [deliveryIdHeader]: 'whd_own',
      [signatureHeader]: `sha256=${signature}`,
    },
  }
}

it.each([['acme'], ['acme-corp'], ['a2z']])(
  'touchstone listen for another vendor reads the headers of %s',
  async (vendor) => {
    const { url, lines, reported } = await listening(['--secret', 'env:SECRET', '--vendor', vendor])
    await deliver(url, under(vendor))
    await deliver(url)
    await reported(2)

    expect(lines()[1]).toMatchObject({ id: 'whd_own', signature: 'ok', problems: [] })
    expect(lines()[2]).toMatchObject({ id: null, signature: 'missing' })
  },
)

it('touchstone listen, what it shows prints a line for each delivery with what a person wants to know of it', async () => {
  const { io, url, reported, end } = await listening(
    ['--secret', 'env:SECRET', '--answer', '500,200'],
    'words',
  )
  await deliver(url)
  await deliver(`${url}any/path`)
  await reported(2)
  const code = await end()
  const size = `${Buffer.byteLength(bodyOf('order.confirmed'))} B`

  expect(code).toBe(0)
  expect(io.printed.out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    expect.stringMatching(
      new RegExp(
        `^[\\d:.]{12} \\| order.confirmed \\| whd_01234567 \\| ${size} \\| signature ok \\| 500 after \\d+ ms$`,
      ),
    ),
    expect.stringMatching(/ \| attempt 2 \| \d+ B \| signature ok \| 200 after \d+ ms$/),
    '',
  ])
  expect(io.printed.err).toContain('Signatures are checked.')
  expect(io.printed.err).toMatch(/\n2 requests: 1 delivery, 1 × 200, 1 × 500\n$/)
})

describe('touchstone listen, what it answers', () => {
  it('waits before a slow answer, and prints at once that something arrived', async () => {
    const { io, url, reported } = await listening(['--answer', 'slow:50ms'], 'words')
    const answer = await deliver(url)
    await reported(1)
    const [, took] = /200 after (\d+) ms/.exec(io.printed.out) ?? []

    expect(answer.status).toBe(200)
    expect(Number(took)).toBeGreaterThanOrEqual(50)
    expect(io.printed.err).toContain('  order.confirmed  whd_01234567  came, and waits\n')
  })

  it('reports what is unanswered when it is ended', async () => {
    const { io, url, end } = await listening(['--answer', 'hang'], 'words')
    const answer = deliver(url).catch(() => 'cut off')
    await expect.poll(() => io.printed.err).toContain('came, and waits')
    await end()

    expect(await answer).toBe('cut off')
    expect(io.printed.out).toMatch(/ no answer, closed by us after \d+ ms\n$/)
  })

  it('forwards the same bytes and headers, and answers with what was answered', async () => {
    const local = await createInbox({ clock: realClock() })
    closing.push(() => local.close())
    const place = local.open('/hooks')
    place.script({ status: 422, headers: [['X-Why', 'so']], body: 'no' })
    const address = `http://127.0.0.1:${local.port}/hooks?a=1`
    const { url, lines, reported } = await listening(['--forward', address])
    const answer = await deliver(url, { headers: { 'X-Custom': 'é' } })
    await reported(1)
    const [arrival] = place.arrivals

    expect([answer.status, answer.headers.get('x-why'), await answer.text()]).toEqual([422, 'so', 'no'])
    expect(arrival).toMatchObject({ method: 'POST', path: '/hooks?a=1' })
    expect(Buffer.from(arrival?.body ?? []).toString()).toBe(bodyOf('order.confirmed'))
    expect(arrival?.headers).toContainEqual(['X-Custom', 'é'])
    expect(arrival?.headers).toContainEqual(['host', `127.0.0.1:${local.port}`])
    expect(lines()[1]).toMatchObject({ status: 422, notForwarded: null })
  })
})

it('touchstone listen, what it writes records what came and what was answered, as a journal that can be read again', async () => {
  const file = join(folder, 'deliveries.ndjson')
  const { url, reported, end } = await listening(['--record', file, '--answer', '500,close'])
  await deliver(url)
  await deliver(url).catch(() => null)
  await reported(2)
  await end()
  const exchanges = readJournal(readFileSync(file, 'utf8'))

  expect(exchanges.map(({ id, response, failure }) => [id, response?.status, failure?.kind])).toEqual([
    [1, 500, undefined],
    [2, undefined, 'reset'],
  ])
  expect(Buffer.from(exchanges[0]?.request.body ?? []).toString()).toBe(bodyOf('order.confirmed'))
})
