/** The lines of a journal, parsed once for all that read them, and what is read of a run: all of it is in memory. */
import { isAscii, isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../errors.ts'
import { mustBePlain } from '../folder/plain-file.ts'
import { collectGarbageEarly } from '../memory.ts'
import { parseJson, type Json, type JsonReading } from '../json.ts'
import { journalFile } from '../names.ts'
import { journalLineProblem } from '../schema/problem.ts'
import { sha256 } from '../seal/digest.ts'
import { evidenceFolder } from './evidence.ts'

export interface JournalLine {
  /** Without the line end; overwritten by the next line. */
  bytes: Buffer
  sha256: string
  text: string
  reading: JsonReading
  /** Where it does not fit the schema of a line. */
  problem: string | null
}

const mebibyte = 1 << 20
/** Of a journal with its bodies. */
const mostBytes = 256 * mebibyte
/** A standard run writes less. */
const largeBytes = 16 * mebibyte
const mostLines = 100_000
/** More than a response of the most bytes takes. */
const mostLineBytes = 16 * mebibyte
/** What a header, a read or a member takes in memory besides its text, about. */
const bytesPerValue = 80
/** What the lines may take in memory. */
const mostMemory = 320 * mebibyte

/** Throws a BundleError for a run that is larger than what is read; of what cannot be read, its reader says why. */
export function mustFitMemory(path: string): void {
  const bodies = namesIn(join(path, evidenceFolder)).map((name) => join(path, evidenceFolder, name))
  const bytes = [join(path, journalFile), ...bodies].reduce((sum, file) => sum + sizeOf(file), 0)
  if (bytes > largeBytes) collectGarbageEarly()
  if (bytes > mostBytes) throw tooLarge(path, `its journal has ${Math.ceil(bytes / mebibyte)} MiB`)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const tooLarge = (where: string, what: string): BundleError =>
  new BundleError(`${where}: ${what}, and at most ${mostBytes / mebibyte} MiB of a run are read into memory.`)

/** Calls `take` with each line. Returns how many bytes follow the last. Throws a BundleError, and what the file system throws. */
export function eachJournalLine(path: string, take: (line: JournalLine) => void): number {
  const file = join(path, journalFile)
  let [number, weight] = [0, 0]
  return eachLine(file, (bytes) => {
    number++
    const line = journalLineOf(bytes)
    const values = line.reading.ok ? valuesIn(line.reading.value) : 0
    // A character outside of Latin-1 doubles the memory of its text.
    weight += (isAscii(bytes) ? 1 : 2) * bytes.length + bytesPerValue * values
    if (weight > mostMemory) throw tooLarge(`${file}, line ${number}`, 'the lines up to here take too much')
    take(line)
  })
}

export function journalLineOf(bytes: Buffer): JournalLine {
  const text = bytes.toString('utf8')
  const reading: JsonReading = isUtf8(bytes) ? parseJson(text) : { ok: false, why: 'it is not UTF-8' }
  const problem = reading.ok ? journalLineProblem(reading.value) : null
  return { bytes, sha256: sha256(bytes), text, reading, problem }
}

function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 1)
}

const newline = 0x0a

/** Only what has its end is a line: returns how many bytes follow the last. Throws as above. */
export function eachLine(path: string, take: (bytes: Buffer) => void): number {
  mustBePlain(path)
  const file = openSync(path, 'r')
  let buffer = Buffer.allocUnsafeSlow(mebibyte)
  let [rest, lines] = [0, 0]
  try {
    for (;;) {
      if (rest > mostLineBytes) throw tooLarge(path, `line ${lines + 1} has more than ${mostLineBytes} bytes`)
      if (rest === buffer.length) buffer = Buffer.concat([buffer], 2 * rest)
      const read = readSync(file, buffer, rest, buffer.length - rest, null)
      if (read === 0) return rest
      const filled = buffer.subarray(0, rest + read)
      let start = 0
      for (let end = filled.indexOf(newline, rest); end !== -1; end = filled.indexOf(newline, start)) {
        if (++lines > mostLines) throw tooLarge(path, `it has more than ${mostLines} lines`)
        take(filled.subarray(start, end))
        start = end + 1
      }
      filled.copyWithin(0, start)
      rest = filled.length - start
    }
  } finally {
    closeSync(file)
  }
}
