/** The text of a snapshot: its entries as JSON within a limit of bytes, and the digest over them. */
import { createHash } from 'node:crypto'
import { canonicalJson, isObject, type Json } from '../../json.ts'
import { breathe, machineElapsed } from '../../tenant/clock/machine-time.ts'
import type { SnapshotEntry, SnapshotHead } from './document.ts'

/** JSON texts within a limit of bytes; beyond it, a RangeError. */
export class BoundedTexts {
  readonly all: string[] = []
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Throws without making any text where that is certain already. One entry alone can be larger than memory: a thousand
   * reply rules are in one.
   */
  prove(values: Iterable<object>): void {
    let left = this.#most
    for (const value of values) {
      left -= lengthAtLeast(value, left)
      if (left < 0) this.#refuse()
    }
  }

  /** In the order of their places. */
  add(entries: Iterable<SnapshotEntry>): void {
    const added: { place: number; text: string }[] = []
    for (const entry of entries) added.push({ place: entry.place, text: this.text(entry) })
    for (const { text } of added.sort((one, other) => one.place - other.place)) this.all.push(text)
  }

  text(value: object): string {
    const text = JSON.stringify(value)
    this.#bytes += Buffer.byteLength(text) + 1
    if (this.#bytes > this.#most) this.#refuse()
    return text
  }

  #refuse(): never {
    throw new RangeError(
      `The snapshot has more than ${this.#most} bytes: reset the tenant, or start the simulator with a higher limit of \`snapshotBytes\`.`,
    )
  }
}

/** The least length of the JSON of plain data; stops counting beyond `most`. Makes no strings, unlike `JSON.stringify`. */
function lengthAtLeast(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (value === undefined) return 0
  if (typeof value !== 'object' || value === null) return 1
  const isArray = Array.isArray(value)
  let length = 2
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (member !== undefined) length += lengthAtLeast(member, most - length) + (isArray ? 0 : name.length + 3)
    if (length > most) break
  }
  return length
}

/** Time in one turn of the event loop, in ms. */
const shareMs = 2

/** The text of a snapshot with these entries, byte for byte as `JSON.stringify` writes a sealed one. */
export async function sealedText(head: SnapshotHead, entries: readonly string[]): Promise<Uint8Array> {
  const digest = await digestOf(JSON.parse(JSON.stringify(head)) as Json, entries)
  const before = JSON.stringify(head).slice(0, -1)
  return Buffer.from(`${before},"entries":[${entries.join(',')}],"digest":"sha256:${digest}"}`)
}

/** SHA-256 of the canonical JSON of the whole. It takes ten times as long as the text, and so in parts. */
async function digestOf(head: Json, entries: readonly string[]): Promise<string> {
  const sum = createHash('sha256')
  const members: Readonly<Record<string, Json>> = isObject(head) ? head : {}
  for (const [index, name] of [...Object.keys(members), 'entries'].sort().entries()) {
    sum.update(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (name === 'entries') await addEntries(sum, entries)
    else sum.update(canonicalJson(members[name] ?? null))
  }
  return sum.update('}').digest('hex')
}

async function addEntries(sum: ReturnType<typeof createHash>, entries: readonly string[]): Promise<void> {
  let until = machineElapsed() + shareMs
  for (const [index, text] of entries.entries()) {
    sum.update(`${index === 0 ? '[' : ','}${canonicalJson(JSON.parse(text) as Json)}`)
    if (machineElapsed() < until) continue
    await breathe()
    until = machineElapsed() + shareMs
  }
  sum.update(entries.length === 0 ? '[]' : ']')
}
