/** A name server of one zone, over UDP. */
import { createSocket } from 'node:dgram'
import { isIPv6, isIPv4 } from 'node:net'
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, type Question } from 'dns-packet'
import { listening } from './server.ts'

type AddressType = 'A' | 'AAAA'

const isAddressType = (type: string): type is AddressType => type === 'A' || type === 'AAAA'

export interface Name {
  /** The whole name, in small letters. */
  readonly host: string
  lead(address: string): void
  /**
   * From now on the look-ups of each type are answered in turns: the first one with the first address, the second one
   * with the second, and so on from the beginning.
   */
  alternate(addresses: readonly [string, string]): void
  answered(address: string): number
}

/** What a zone knows of a name: nothing, or the addresses of a type, of which there may be none. */
type NameLookup = 'no-name' | readonly string[]

interface NameTable {
  readonly zone: string
  /** A name under the zone; it leads nowhere yet. */
  name(label: string): Name
  /** The addresses of a name. Of any other type there is nothing, and it counts as no look-up. */
  find(host: string, type: string): NameLookup
  holds(host: string): boolean
}

export function createNames(zone: string): NameTable {
  const apex = zone.toLowerCase()
  const known = new Map<string, (type: AddressType) => readonly string[]>()
  return {
    zone: apex,
    name(label) {
      const host = `${label}.${apex}`.toLowerCase()
      const { name, answer } = createName(host)
      known.set(host, answer)
      return name
    },
    find(host, type) {
      const answer = known.get(host.toLowerCase())
      if (answer) return isAddressType(type) ? answer(type) : []
      return host.toLowerCase() === apex ? [] : 'no-name'
    },
    holds: (host) => `.${host.toLowerCase()}`.endsWith(`.${apex}`),
  }
}

function createName(host: string) {
  let turns: readonly string[] = []
  let asked = { A: 0, AAAA: 0 }
  const counts = new Map<string, number>()
  const name: Name = {
    host,
    lead: (address) => void (turns = [address]),
    alternate(addresses) {
      turns = addresses
      asked = { A: 0, AAAA: 0 }
    },
    answered: (address) => counts.get(address) ?? 0,
  }
  /** Each type has turns of its own, since a client asks for both at a time. */
  const answer = (type: AddressType): readonly string[] => {
    const address = turns[asked[type]++ % turns.length]
    if (address === undefined || isIPv4(address) !== (type === 'A')) return []
    counts.set(address, (counts.get(address) ?? 0) + 1)
    return [address]
  }
  return { name, answer }
}

/** Response codes, as RFC 1035 numbers them. */
const codes = { ok: 0, malformed: 1, 'no-name': 3, 'not-implemented': 4, refused: 5 } as const
type Code = keyof typeof codes

const headerBytes = 12
/** Of the third byte: this is a response; and which kind of query it is. */
const responseBit = 0x80
const opcodeBits = 0x78
const recursionDesired = 0x100
/** A question of ours is short; what is longer is not read. */
const packetMost = 1_232

/**
 * Null where silence is the only safe reply: what is no whole header, and what is itself a response, to which a reply
 * could go round for ever.
 */
export function dnsReply(packet: Buffer, names: NameTable): Buffer | null {
  if (packet.length < headerBytes || (packet.readUInt8(2) & responseBit) !== 0) return null
  if ((packet.readUInt8(2) & opcodeBits) !== 0) return bare(packet, 'not-implemented')
  const query = packet.length > packetMost ? null : read(packet)
  const [question, ...more] = query?.questions ?? []
  if (!query || !question || more.length > 0) return bare(packet, 'malformed')
  return answered(query, question, names) ?? bare(packet, 'malformed')
}

function read(packet: Buffer): Packet | null {
  try {
    return decode(packet)
  } catch {
    return null
  }
}

function bare(packet: Buffer, code: Code): Buffer {
  const header = Buffer.alloc(headerBytes)
  packet.copy(header, 0, 0, 2)
  header.writeUInt8(responseBit | (packet.readUInt8(2) & (opcodeBits | 1)), 2)
  header.writeUInt8(codes[code], 3)
  return header
}

/** Null for a name that cannot be written again, such as one with bytes that are no text. */
function answered({ id = 0, flags = 0 }: Packet, question: Question, names: NameTable): Buffer | null {
  const { code, addresses } = found(question, names)
  const { name, type } = question
  try {
    const reply = encode({
      type: 'response',
      id,
      flags: (flags & recursionDesired) | (code === 'refused' ? 0 : AUTHORITATIVE_ANSWER) | codes[code],
      questions: [question],
      // Lasts for no time, so that the next look-up comes here again.
      answers: addresses.map((data) => ({ type: type as AddressType, name, ttl: 0, data })),
    })
    return Buffer.from(reply)
  } catch {
    return null
  }
}

function found(
  { name, type, class: of = 'IN' }: Question,
  names: NameTable,
): { code: Code; addresses: readonly string[] } {
  if (of !== 'IN' || !names.holds(name)) return { code: 'refused', addresses: [] }
  const addresses = names.find(name, type)
  return addresses === 'no-name' ? { code: 'no-name', addresses: [] } : { code: 'ok', addresses }
}

export interface NameServer {
  readonly names: NameTable
  /** Where it listens, such as 127.0.0.1:5300. */
  readonly address: string
  close(): Promise<void>
}

export interface NameServerOptions {
  zone: string
  host: string
  port: number
}

/** Throws a ConfigurationError where it cannot listen. */
export async function createNameServer({ zone, host, port }: NameServerOptions): Promise<NameServer> {
  const names = createNames(zone)
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('message', (packet, { address, port: from }) => {
    const reply = dnsReply(packet, names)
    // No reply can be sent to port 0, which only a forged sender has.
    if (reply && from > 0) socket.send(reply, from, address, () => undefined)
  })
  await listening(socket, `answer name look-ups on ${host}, port ${port}`, (done) =>
    socket.bind(port, host, done),
  )
  const own = socket.address()
  return {
    names,
    address: `${isIPv6(host) ? `[${own.address}]` : own.address}:${own.port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

export interface MovingName {
  readonly host: string
  /** From now on every look-up is answered with this address. */
  move(to: string): void
  /** From now on the first look-up is answered with the public address, the next one with this one, and so on. */
  alternate(to: string): void
  /** Whether a look-up was ever answered with this address. */
  answered(address: string): boolean
}

export interface MovingNames {
  /** The private address of this machine to move them to; null: none that the target could reach. */
  readonly later: string | null
  /** Whether they may change between two look-ups for one delivery, which may then go to the public address. */
  readonly rebinding: boolean
  /** For each of them; null: nothing is received over HTTPS. */
  readonly certificate: { cert: string; key: string } | null
  name(label: string): MovingName
}
