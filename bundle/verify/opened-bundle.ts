/** A bundle as it lies there: nothing in it is believed. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { runProblem } from '../schema/problem.ts'
import type { RunRecord } from '../record.ts'
import { parseJson, type JsonReading } from '../json.ts'
import { filesBelow, type FoundFile, digestOfFile, type Digest } from '../seal/digest.ts'
import { BundleError, systemReason } from '../errors.ts'
import { readPlain } from '../folder/plain-file.ts'
import { evidenceFolder, evidenceIn, type EvidenceFiles } from '../journal/evidence.ts'
import { eachJournalLine, mustFitMemory, type JournalLine } from '../journal/lines.ts'
import { startReading, type RecordedJournal } from '../journal/reader.ts'
import { journalFile, manifestFile, planFile } from '../names.ts'
import { createChainReader, type ReadChain } from './chain.ts'
import { documentMismatches, lineMismatches } from './schema.ts'

export interface OpenedBundle {
  path: string
  /** Every file, sorted by path. */
  found: readonly FoundFile[]
  has: (file: string) => boolean
  /** Null where it is not there, is no plain file or cannot be read. */
  bytes: (file: string) => Buffer | null
  /** Null as above. The file is read once, however often it is asked for, and not held. */
  digest: (file: string) => Digest | null
  json: (file: string) => JsonReading
  /** A manifest has as many values as the folder has files, whatever their number. */
  parse: (text: string) => JsonReading
  /** What run.json says; null where it does not have the form of a record. */
  record: RunRecord | null
  /** What the journal says; null where it cannot be read. */
  chain: ReadChain | null
  /** The journal as reports and judges read it: throws a BundleError where they cannot. Null where it cannot be read. */
  recorded: (() => RecordedJournal) | null
  /** Where documents of the run, and lines of the journal, each with its number, do not match their schemas. */
  mismatches: readonly string[]
  /** The run ended before it wrote its record. */
  cutOff: boolean
}

/** Throws a BundleError when this is no folder that a run wrote to. */
export function openForVerification(path: string): OpenedBundle {
  const found = below(path)
  mustFitMemory(path)
  const plain = new Set(found.filter((file) => file.plain).map((file) => file.path))
  if (!['run.json', 'plan.json', 'journal.ndjson', manifestFile].some((file) => plain.has(file)))
    throw new BundleError(`${path} ${noRun(plain)}`)
  const bytes = (file: string): Buffer | null =>
    plain.has(file) ? readOrNull(join(path, file), readPlain) : null
  // A path, a size and a digest of each, and what else a document of a run has.
  const parse = (text: string): JsonReading => parseJson(text, 500_000 + 3 * found.length)
  const json = (file: string): JsonReading => {
    const content = bytes(file)
    return content === null
      ? { ok: false, why: 'it is not there or cannot be read' }
      : parse(content.toString('utf8'))
  }
  const record = json('run.json')
  const paths = new Set(found.map((file) => file.path))
  const has = (file: string): boolean => paths.has(file)
  const inDocuments = documentMismatches({ has, bytes, parse })
  const evidence = evidenceIn(path)
  const digestOnce = once((file) => readOrNull(join(path, file), digestOfFile))
  const journal = plain.has(journalFile) ? openJournal(path, bytes(planFile), evidence) : null
  return {
    path,
    found,
    has,
    bytes,
    digest: (file) => (plain.has(file) ? (digestOf(file, evidence) ?? digestOnce(file)) : null),
    json,
    parse,
    record: record.ok && runProblem(record.value) === null ? (record.value as unknown as RunRecord) : null,
    chain: journal?.chain ?? null,
    recorded: journal?.recorded ?? null,
    mismatches: [...inDocuments, ...(journal?.mismatches ?? [])],
    cutOff: !plain.has('run.json') && !plain.has(manifestFile),
  }
}

function below(path: string): readonly FoundFile[] {
  try {
    return filesBelow(path)
  } catch (error) {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile()
    const why = isFile ? 'is a file' : `cannot be read (${systemReason(error)})`
    throw new BundleError(`${path} ${why}: name the run folder, the one given to --out.`)
  }
}

/** Each line is parsed once for all that looks at it. Null where it cannot be read. */
function openJournal(path: string, plan: Uint8Array | null, evidence: EvidenceFiles) {
  const chain = createChainReader()
  // Nothing after a line that was refused is read; the reason is thrown at the end.
  const reading = startReading(path, plan ?? new Uint8Array(), evidence.read)
  let refused: BundleError | null = null
  const take = (line: JournalLine): void => {
    if (refused) return
    try {
      reading.take(line)
    } catch (error) {
      if (!(error instanceof BundleError)) throw error
      refused = error
    }
  }
  const mismatches: string[] = []
  let number = 0
  try {
    const torn = eachJournalLine(path, (line) => {
      mismatches.push(...lineMismatches(++number, line))
      chain.take(line)
      take(line)
    })
    const recorded = (): RecordedJournal => {
      if (refused) throw refused
      return reading.end(torn)
    }
    return { chain: chain.end(torn), recorded, mismatches }
  } catch (error) {
    if (error instanceof BundleError) throw error
    return null
  }
}

/** Of a body whose digest was checked when the journal was read. */
function digestOf(file: string, evidence: EvidenceFiles): Digest | null {
  const name = file.slice(evidenceFolder.length + 1)
  const size = file === `${evidenceFolder}/${name}` ? evidence.sizeOf(name) : undefined
  return size === undefined ? null : { size, sha256: name }
}

function once<T>(of: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>()
  return (file) => {
    if (!known.has(file)) known.set(file, of(file))
    return known.get(file) as T
  }
}

function readOrNull<T>(path: string, read: (path: string) => T): T | null {
  try {
    return read(path)
  } catch {
    return null
  }
}

function noRun(files: ReadonlySet<string>): string {
  if (files.has('statement.html'))
    return 'has a page and no signed result: verify the run bundle that it was made from.'
  return 'is not a run folder: name the one given to --out.'
}
