/** Large bodies of a run: each content once, in a file that is named by its digest. */
import { join } from 'node:path'
import type { Kept, StoreBody } from './codec.ts'
import { systemReason } from '../errors.ts'
import { readPlain } from '../folder/plain-file.ts'
import { unfinished } from '../names.ts'
import { sha256 } from '../seal/digest.ts'

export const evidenceFolder = 'evidence'

/** Bytes from which on a body stands in a file of its own. */
const large = 4_096
export const isLarge = (body: Uint8Array): boolean => body.length >= large

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
    if (!isLarge(bytes)) return null
    const evidence = sha256(bytes)
    if (!kept.has(evidence)) write(`${evidenceFolder}/${evidence}`, bytes)
    kept.add(evidence)
    return { evidence, bytes: bytes.length }
  }
}

export type EvidenceFiles = ReturnType<typeof evidenceIn>

/** The bodies beside a journal, each in memory once. */
export function evidenceIn(path: string) {
  const bodies = new Map<string, Uint8Array>()
  return {
    read: ({ evidence, bytes }: Kept): Uint8Array => {
      const body = bodies.get(evidence) ?? verified(path, evidence)
      bodies.set(evidence, body)
      if (body.length !== bytes)
        throw new Error(`it speaks of ${bytes} bytes of ${evidence}, which has ${body.length}`)
      return body
    },
    /** Of a body that was read and has this digest: its length in bytes; else undefined. */
    sizeOf: (evidence: string) => bodies.get(evidence)?.length,
  }
}

/** Mebibytes. */
const mostOfBody = 64

function verified(path: string, evidence: string): Uint8Array {
  // A name from a file is not yet a name: it may lead out of the folder.
  if (!isDigest(evidence)) throw new Error(`${JSON.stringify(evidence.slice(0, 80))} is no digest`)
  const file = `${evidenceFolder}/${evidence}`
  const { buffer, byteOffset, length } = readable(path, file)
  const body = new Uint8Array(buffer, byteOffset, length)
  if (sha256(body) === evidence) return body
  throw new Error(`${file} was altered: its content has another digest`)
}

function readable(path: string, file: string): Buffer {
  try {
    return readPlain(join(path, file), mostOfBody)
  } catch (error) {
    throw new Error(`${file} cannot be read (${systemReason(error)})`, { cause: error })
  }
}
