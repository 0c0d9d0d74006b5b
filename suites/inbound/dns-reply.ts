/** What a name server replies to one packet. Pure, and total for anything that may be sent. */
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, type Question } from 'dns-packet'
import type { AddressType, NameTable } from './names.ts'

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

/** A header alone, with the id and the kind of the query. */
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
