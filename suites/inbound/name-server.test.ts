import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { array, assert, nat, oneof, property, tuple, uint8Array } from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dnsReply, createNameServer, type NameServer, createNames, type Name } from './name-server.ts'

const [first, later] = ['3000::1', '127.0.0.1'] as const
let server: NameServer
let name: Name
// A client that is not ours: the one of Node.
const client = new Resolver({ timeout: 2_000, tries: 1 })

beforeEach(async () => {
  server = await createNameServer({ zone: 'Moving.example', host: '127.0.0.1', port: 0 })
  client.setServers([server.address])
  name = server.names.name('one')
})
afterEach(() => server.close())

/** Sends a packet as it is, and resolves with the reply; null where the reply to the next one comes first. */
async function raw(packet: Buffer): Promise<Buffer | null> {
  const socket = createSocket('udp4')
  const port = Number(server.address.split(':').at(-1))
  socket.send(packet, port, '127.0.0.1')
  socket.send(query, port, '127.0.0.1')
  const [reply] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  return reply.readUInt16BE(0) === query.readUInt16BE(0) ? null : reply
}

/** A question for the address of one.moving.example, as `dig` sends it, with the id 0x4242. */
const query = Buffer.from('424201200001000000000000036f6e65066d6f76696e67076578616d706c650000010001', 'hex')
const changed = (at: number, byte: number): Buffer => {
  const packet = Buffer.from(query)
  packet.writeUInt16BE(0x1111, 0)
  packet.writeUInt8(byte, at)
  return packet
}

it('answers with the address that a name leads to, for no time, and counts that', async () => {
  name.lead(first)
  expect(await client.resolve6(name.host, { ttl: true })).toEqual([{ address: first, ttl: 0 }])
  name.lead(later)
  expect(await client.resolve4('ONE.moving.EXAMPLE', { ttl: true })).toEqual([{ address: later, ttl: 0 }])
  expect([name.answered(first), name.answered(later), name.answered('10.0.0.1')]).toEqual([1, 1, 0])
})

it('answers a name that alternates in turns, each type by itself', async () => {
  name.lead(first)
  await client.resolve6(name.host)
  name.alternate([first, later])
  await expect(client.resolve4(name.host)).rejects.toMatchObject({ code: 'ENODATA' })
  expect(await client.resolve6(name.host)).toEqual([first])
  expect(await client.resolve4(name.host)).toEqual([later])
  await expect(client.resolve6(name.host)).rejects.toMatchObject({ code: 'ENODATA' })
})

it.each([
  ['the other type of a name that there is', 'one.moving.example', 'A', 'ENODATA'],
  ['a name that there is not', 'two.moving.example', 'A', 'ENOTFOUND'],
  ['a name of another zone', 'removing.example', 'A', 'EREFUSED'],
] as const)('has no address for %s', async (_, host, type, code) => {
  name.lead(first)
  await expect(client.resolve(host, type)).rejects.toMatchObject({ code })
  expect(name.answered(first)).toBe(0)
})

it.each([
  ['another kind of query', changed(2, 0x29), 4],
  ['two questions', changed(5, 2), 1],
  ['a name that points nowhere', changed(12, 0xff), 1],
  ['an end in the middle', changed(3, 0).subarray(0, -7), 1],
] as const)('refuses %s, with the id of the query', async (_, packet, code) => {
  const reply = await raw(packet)
  expect([reply?.readUInt16BE(0), (reply?.readUInt8(3) ?? 0) & 15]).toEqual([0x1111, code])
})

it.each([
  ['less than a header', changed(0, 0).subarray(0, 11)],
  ['nothing', Buffer.alloc(0)],
  ['a response', changed(2, 0x81)],
] as const)('is silent on %s', async (_, packet) => {
  expect(await raw(packet)).toBeNull()
})

it('throws at nothing that may be sent, and replies with little more than came', () => {
  const names = createNames('moving.example')
  names.name('one').lead(later)
  const garbage = uint8Array({ maxLength: 2_000 })
  const spoilt = array(tuple(nat(query.length - 1), nat(255)), { maxLength: 6 }).map((bytes) => {
    const packet = Buffer.from(query)
    for (const [at, byte] of bytes) packet.writeUInt8(byte, at)
    return packet
  })
  assert(
    property(oneof(garbage, spoilt), (packet) => {
      const reply = dnsReply(Buffer.from(packet), names)
      expect(reply?.length ?? 0).toBeLessThanOrEqual(packet.length * 2 + 16)
    }),
    { numRuns: 3_000 },
  )
})
