/** A bundle as it lies there: nothing in it is believed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProblem } from '../schema/problem.ts'
import type { RunRecord } from '../record.ts'
import { parseJson, type JsonReading } from '../json.ts'
import { manifestFile } from '../seal/names.ts'
import { filesBelow, type FoundFile } from '../seal/walk.ts'
import { BundleError, codeOf } from '../errors.ts'
import { readChain, type ReadChain } from './chain.ts'

export interface OpenedBundle {
  path: string
  /** Every file, sorted by path. */
  found: readonly FoundFile[]
  has: (file: string) => boolean
  /** Null where it is not there, is no plain file or cannot be read. */
  bytes: (file: string) => Buffer | null
  json: (file: string) => JsonReading
  /** What run.json says; null where it does not have the form of a record. */
  record: RunRecord | null
  /** What the journal says; null where it cannot be read. */
  chain: ReadChain | null
  /** The run ended before it wrote its record. */
  cutOff: boolean
}

/** Throws a BundleError when this is no folder that a run wrote to. */
export function openForVerification(path: string): OpenedBundle {
  const found = below(path)
  const plain = new Set(found.filter((file) => file.plain).map((file) => file.path))
  if (!['run.json', 'plan.json', 'journal.ndjson', manifestFile].some((file) => plain.has(file)))
    throw new BundleError(`${path} holds nothing of a run: name the folder that a check wrote to.`)
  const bytes = (file: string): Buffer | null => (plain.has(file) ? contentOf(join(path, file)) : null)
  const json = (file: string): JsonReading => read(bytes(file))
  const record = json('run.json')
  const journal = bytes('journal.ndjson')
  return {
    path,
    found,
    has: (file) => found.some((one) => one.path === file),
    bytes,
    json,
    record: record.ok && runProblem(record.value) === null ? (record.value as unknown as RunRecord) : null,
    chain: journal && readChain(journal),
    cutOff: !plain.has('run.json') && !plain.has(manifestFile),
  }
}

function below(path: string): readonly FoundFile[] {
  try {
    return filesBelow(path)
  } catch (error) {
    throw new BundleError(`${path} cannot be read (${codeOf(error)}): name the folder that a check wrote to.`)
  }
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function read(bytes: Buffer | null): JsonReading {
  if (bytes === null) return { ok: false, why: 'it is not there or cannot be read' }
  return parseJson(bytes.toString('utf8'))
}
