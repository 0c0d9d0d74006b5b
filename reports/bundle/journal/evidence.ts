/** Large bodies of a run: each content once, in a file that is named by its digest. */
import { join } from 'node:path'
import { releaseBytes } from '../chunks.ts'
import type { Chunk } from '../exchange.ts'
import { boundedCache } from './bounded-cache.ts'
import type { Kept, StoredBodies, StoreBody } from './codec.ts'
import type { BodyTable, CheckedBody } from '../body-thread/table.ts'
import { codeOf } from '../errors.ts'
import { mustBePlain, readPlain, readPlainInPassing } from '../folder/plain-file.ts'
import { unfinished } from '../names.ts'
import { digestOfFile, sha256 } from '../seal/digest.ts'

export const evidenceFolder = 'evidence'

/** Bytes from which on a body stands in a file of its own. */
const large = 4_096

export function isDigest(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name)
}

/** Whether a file of this name in the folder was written by a run, to its end or not. */
export function isEvidence(name: string): boolean {
  return isDigest(name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name)
}

/** Writes each large body once, before it is spoken of. */
export function keepIn(write: (file: string, content: Uint8Array) => void): StoreBody {
  const kept = new Set<string>()
  return (bytes) => {
    if (bytes.length < large) return null
    const evidence = sha256(bytes)
    if (!kept.has(evidence)) write(`${evidenceFolder}/${evidence}`, bytes)
    kept.add(evidence)
    return { evidence, bytes: bytes.length }
  }
}

/** Bytes of the bodies that stay in memory: one that is read is mostly read again. */
const mostOfBodies = 2 << 20

/** The bodies beside a journal. */
export interface EvidenceFiles extends StoredBodies {
  /** Of a body that was read and has this digest: its length in bytes; else undefined. */
  sizeOf(evidence: string): number | undefined
  /** What another thread has found in it; null where it has not. */
  ahead(kept: Kept): CheckedBody | null
}

/** `folder`: where they are when one of them is asked for. `thread`: what another thread has read of them. */
export function evidenceIn(folder: () => string, thread?: Pick<BodyTable, 'take'> | null): EvidenceFiles {
  const sizes = new Map<string, number>()
  const bodies = boundedCache<string, Uint8Array>(mostOfBodies, ({ length }) => length)
  const ahead = ({ evidence }: Kept): CheckedBody | null => {
    const body = thread?.take(evidence) ?? null
    if (body) sizes.set(evidence, body.size)
    return body
  }
  return {
    check(kept) {
      const { evidence, bytes } = kept
      const size = sizes.get(evidence) ?? ahead(kept)?.size ?? verifiedSize(folder(), evidence)
      sizes.set(evidence, size)
      if (size !== bytes) throw new Error(`it speaks of ${bytes} bytes of ${evidence}, which has ${size}`)
    },
    read({ evidence }, inPassing = false) {
      const read = (file?: typeof readPlain): Uint8Array => {
        const body = verified(folder(), evidence, file)
        sizes.set(evidence, body.length)
        return body
      }
      return inPassing ? read(readPlainInPassing) : bodies.get(evidence, read)
    },
    sizeOf: (evidence) => sizes.get(evidence),
    ahead,
  }
}

/** Takes the large reads of a response out of memory, which were kept as they are. */
export function releaseKept(chunks: readonly Chunk[], keep: StoreBody, evidence: StoredBodies): void {
  const all = chunks.map((chunk) => [chunk, keep(chunk.bytes)] as const)
  if (all.every(([, kept]) => kept === null)) return
  for (const [chunk, kept] of all)
    if (kept) releaseBytes(chunk, (inPassing) => evidence.read(kept, inPassing))
    // Else it is a view of the buffer that is to be free.
    else chunk.bytes = chunk.bytes.slice()
}

/** Reads the file without holding it. */
function verifiedSize(path: string, evidence: string): number {
  const { size, sha256: digest } = readable(path, evidence, (file) => {
    mustBePlain(file)
    return digestOfFile(file)
  })
  mustBe(evidence, digest)
  return size
}

function verified(path: string, evidence: string, read = readPlain): Uint8Array {
  const content = readable(path, evidence, read)
  mustBe(evidence, sha256(content))
  return new Uint8Array(content.buffer, content.byteOffset, content.length)
}

function readable<T>(path: string, evidence: string, read: (file: string) => T): T {
  // A name from a file is not yet a name: it may lead out of the folder.
  if (!isDigest(evidence)) throw new Error(`${JSON.stringify(evidence.slice(0, 80))} is no digest`)
  const file = `${evidenceFolder}/${evidence}`
  try {
    return read(join(path, file))
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error)})`, { cause: error })
  }
}

function mustBe(evidence: string, digest: string): void {
  if (digest !== evidence)
    throw new Error(`${evidenceFolder}/${evidence} was altered: its content has another digest`)
}
