import { afterEach, describe, expect, it } from 'vitest'
import type { InboundAnswer, Arrival } from './place.ts'
import { createInbox } from './server.ts'
import { clock, closeAll, dial, inbox, post, send } from './socket.testkit.ts'

afterEach(closeAll)

const textOf = ({ body }: Arrival): string => Buffer.from(body).toString('latin1')

describe('what is kept of a request', () => {
  it('keeps method, path, headers in order and casing as Latin-1, and the bytes', async () => {
    const to = await inbox()
    const place = to.open('/hooks/a')
    const line = dial(to)
    const head = 'PUT /hooks/a/b?c=%20d HTTP/1.1\r\nhost: X\r\nX-Two: 1\r\nx-one: caf\u00e9\r\nX-TWO: 2\r\n'
    line.socket.write(Buffer.from(`${head}content-length: 3\r\n\r\n\x00\u00ff\n`, 'latin1'))
    await place.arrived(1)

    const [arrival] = place.arrivals
    expect(arrival).toMatchObject({ number: 1, method: 'PUT', path: '/hooks/a/b?c=%20d', cut: false })
    expect(arrival?.headers).toEqual([
      ['host', 'X'],
      ['X-Two', '1'],
      ['x-one', 'caf\u00e9'],
      ['X-TWO', '2'],
      ['content-length', '3'],
    ])
    expect([...(arrival?.body ?? [])]).toEqual([0, 255, 10])
  })

  it.each([
    ['just fits', 'abcd', 'abcd', false],
    ['is longer than is kept', 'abcdefgh', 'abcd', true],
  ])('of a body that %s it keeps the beginning and says so', async (_, body, kept, cut) => {
    const to = await inbox({ bodyLimit: 4 })
    const place = to.open('/')
    await send(to, '/', body)

    expect(place.arrivals.map((arrival) => [textOf(arrival), arrival.cut])).toEqual([[kept, cut]])
  })

  it('cuts bodies once all places together have what is kept, and keeps others once a place is closed', async () => {
    const to = await inbox({ keptLimit: 6 })
    const [one, other] = [to.open('/one'), to.open('/other')]
    for (const path of ['/one', '/nowhere', '/other']) await send(to, path, 'abcd')
    one.close()
    await send(to, '/other', 'efgh')

    expect(other.arrivals.map((arrival) => [textOf(arrival), arrival.cut])).toEqual([
      ['ab', true],
      ['efgh', false],
    ])
  })

  it.each([
    ['pieces', 110_000, '1\r\na\r\n'],
    ['bytes', 20, `400\r\n${'a'.repeat(1_024)}\r\n`],
  ])('breaks off a body of endless %s', async (_, count, piece) => {
    const to = await inbox({ bodyLimit: 1_024 })
    const place = to.open('/')
    const line = dial(to)
    line.socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n')
    line.socket.on('error', () => undefined).write(piece.repeat(count))
    await expect.poll(() => place.broken).toBe(1)
  })

  it('refuses the 1,001st request of a place with 429, and counts it as come', async () => {
    const to = await inbox({ placeLimit: 1_000 })
    const place = to.open('/')
    const line = dial(to)
    line.socket.write(post('/').repeat(1_000))
    await place.arrived(1_000)
    const beyond = await send(to, '/')

    expect([beyond.status, place.refused, place.arrivals.length]).toEqual([429, 1, 1_000])
    expect(await place.arrived(1_001)).toBe(true)
  })
})

describe('where a request goes', () => {
  it('goes to the place with most of its path, by whole segments; what has none is a stray and answered 404', async () => {
    const to = await inbox()
    const [outer, inner] = [to.open('/a'), to.open('/a/b/')]
    const paths = ['/a', '/a?x=/a/b', '/a/bc', '/a/b', '/a/b/c', '/ab', '/']
    const statuses = []
    for (const path of paths) statuses.push((await send(to, path)).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 404, 404])
    expect(outer.arrivals.map(({ path }) => path)).toEqual(['/a', '/a?x=/a/b', '/a/bc'])
    expect(inner.arrivals.map(({ path }) => path)).toEqual(['/a/b', '/a/b/c'])
    expect(to.strays).toBe(2)
  })

  it.each([
    ['tls', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
    ['unknown', Buffer.from('HELO here\r\n\r\n')],
  ] as const)('reports bytes that are no request (%s), and answers them 400', async (is, sent) => {
    const reported: string[] = []
    const to = await inbox({ onGarbage: (garbage) => void reported.push(garbage) })
    const line = dial(to)
    line.socket.write(sent)
    await line.ended

    expect(reported).toEqual([is])
    expect(to.handshakes).toBe(is === 'tls' ? 1 : 0)
    expect(line.received()).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('the end', () => {
  it.each<InboundAnswer>(['hold', 'hang', 'drip'])(
    'ends a %s at once, and notifies those who wait',
    async (answer) => {
      const to = await inbox()
      const place = to.open('/')
      place.script(answer)
      const line = dial(to)
      line.socket.write(post('/'))
      await place.arrived(1)
      const more = place.arrived(2)
      await to.close()

      expect(await more).toBe(false)
      expect((await place.arrivals[0]?.done)?.end).toBe('closed')
      await line.ended
      await expect(send(to, '/')).rejects.toThrow('fetch failed')
    },
  )

  it('says what to do about an address it cannot listen on', async () => {
    const { port } = await inbox()
    const taken = createInbox({ clock, port })
    const nowhere = createInbox({ clock, host: '192.0.2.1' })

    await expect(taken).rejects.toThrow(
      `cannot receive on 127.0.0.1, port ${port}: something listens there already; give another port, or 0 for any free one.`,
    )
    await expect(nowhere).rejects.toThrow('this machine has no such address; give another host.')
  })
})
