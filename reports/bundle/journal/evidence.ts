/** Large bodies of a run: each content once, in a file that is named by its digest. */
import { join } from 'node:path'
import { releaseBytes } from '../chunks.ts'
import type { Chunk } from '../exchange.ts'
import type { Fetch, StoreBody } from './codec.ts'
import { codeOf } from '../errors.ts'
import { readPlain } from '../folder/plain-file.ts'
import { unfinished } from '../names.ts'
import { sha256 } from '../seal/digest.ts'

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

/** Reads what was kept, and throws where it is missing or was altered. */
export function fetchFrom(path: string): Fetch {
  const read = new Map<string, Uint8Array>()
  return ({ evidence, bytes }) => {
    const known = read.get(evidence) ?? verified(path, evidence)
    if (known.length !== bytes)
      throw new Error(`it speaks of ${bytes} bytes of ${evidence}, which has ${known.length}`)
    read.set(evidence, known)
    return known
  }
}

/**
 * Takes the large reads of a response out of memory, which were kept as they are. `folder`: where they are when one of
 * them is asked for.
 */
export function releaseKept(chunks: readonly Chunk[], keep: StoreBody, folder: () => string): void {
  const all = chunks.map((chunk) => [chunk, keep(chunk.bytes)] as const)
  if (all.every(([, kept]) => kept === null)) return
  for (const [chunk, kept] of all)
    if (kept) releaseBytes(chunk, () => verified(folder(), kept.evidence))
    // Else it is a view of the buffer that is to be free.
    else chunk.bytes = chunk.bytes.slice()
}

function verified(path: string, evidence: string): Uint8Array {
  // A name from a file is not yet a name: it may lead out of the folder.
  if (!isDigest(evidence)) throw new Error(`${JSON.stringify(evidence.slice(0, 80))} is no digest`)
  const file = `${evidenceFolder}/${evidence}`
  let content: Buffer
  try {
    content = readPlain(join(path, file))
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error)})`, { cause: error })
  }
  if (sha256(content) !== evidence) throw new Error(`${file} was altered: its content has another digest`)
  return new Uint8Array(content)
}
