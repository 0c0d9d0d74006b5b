/**
 * Appends to a log of runs. A lock file, held only while one entry is written, keeps writers apart: it is created
 * exclusively, which works between hosts and containers that share a disk, too. A lock that stays is never taken over.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { BundleError, codeOf } from '../bundle/errors.ts'
import { readPlain } from '../bundle/folder/plain-file.ts'
import { sha256 } from '../bundle/seal/digest.ts'
import type { Signer } from '../bundle/seal/envelope.ts'
import { readEntry, signedLine, type RunEnd, type RunLogEntry, type RunStart } from './entry.ts'
import { readRunLog } from './read.ts'

export interface RunLogWriter {
  /** Appends an entry, which is on disk when this returns. Throws a BundleError; the log is then as it was before. */
  append(run: string, content: RunStart | RunEnd): void
}

/** Milliseconds. An entry takes a few; `tolerance` is that of clocks. */
const [pause, tolerance] = [20, 300_000]

export interface RunLogOptions {
  signer: Signer
  /** The time of day, ISO 8601, UTC. */
  now: () => string
  /** Milliseconds to wait for other writers. */
  longestWait?: number
}

/** Throws a BundleError for a log that was altered, or that this signer cannot append to. */
export function openRunLog(file: string, { signer, now, longestWait = 10_000 }: RunLogOptions): RunLogWriter {
  const starts = new Map<string, string>()
  const before = withLock(file, longestWait, () => readIfThere(file))
  lastIn(before, file, signer)
  mustFit(file, before)
  return {
    append(run, content) {
      withLock(file, longestWait, () => {
        const text = readIfThere(file)
        const last = lastIn(text, file, signer)
        if (content.is === 'end' && !text.includes(starts.get(run) ?? '\0'))
          throw refused(file, `the start of run ${run} is missing`, 'the log was replaced during the run')
        const at = content.is === 'start' ? notFarBefore(last?.at, now(), file) : laterOf(last?.at, now())
        const [number, previous] = [(last?.number ?? 0) + 1, last?.sha256 ?? null]
        const entry: RunLogEntry = { schemaVersion: 1, number, previous, at, run, ...content }
        const line = `${signedLine(entry, signer)}\n`
        write(file, line)
        if (content.is === 'start') starts.set(run, line)
      })
    },
  }
}

const refused = (file: string, why: string, remedy: string): BundleError =>
  new BundleError(`--log ${file}: ${why}; ${remedy}.`)

const unwritable = (file: string, error: unknown): BundleError =>
  refused(file, `cannot be written (${codeOf(error)})`, 'fix that or name another file')

/** Empty if there is no log yet. */
function readIfThere(file: string): string {
  try {
    return readPlain(file).toString('utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw unwritable(file, error)
  }
}

const asItIs = '`touchstone log verify` lists every problem; begin another log'

/** Everything but the signatures, for which the public key is not there. Once for a run: it takes time. */
function mustFit(file: string, text: string): void {
  const [problem] = text === '' ? [] : readRunLog(Buffer.from(text), null).problems
  if (problem !== undefined) throw refused(file, problem, asItIs)
}

/** The last entry with the digest of its line. Null if the log is empty. */
function lastIn(text: string, file: string, { keyid }: Signer): (RunLogEntry & { sha256: string }) | null {
  if (text === '') return null
  const [line = '', rest] = text.slice(text.lastIndexOf('\n', text.length - 2) + 1).split('\n')
  const reading = rest === undefined ? { why: 'is cut off' } : readEntry(line)
  if ('why' in reading) throw refused(file, `its last line ${reading.why}`, asItIs)
  if (reading.keyid === keyid) return { ...reading.entry, sha256: sha256(line) }
  throw refused(
    file,
    `was begun with another key (key id ${reading.keyid})`,
    'a log has one signer: name another file, or a folder',
  )
}

function notFarBefore(last: string | undefined, now: string, file: string): string {
  if (last !== undefined && Date.parse(last) > Date.parse(now) + tolerance)
    throw refused(file, `its last entry is of ${last}, and it is ${now}`, 'set the clock of this machine')
  return laterOf(last, now)
}

/** Clocks are set back by seconds now and then; the order of the entries is certain. */
const laterOf = (last: string | undefined, now: string): string =>
  last !== undefined && last > now ? last : now

function withLock<T>(file: string, longestWait: number, doing: () => T): T {
  const lock = `${file}.lock`
  for (let waited = 0; !acquired(lock, file); waited += pause) {
    if (waited >= longestWait)
      throw refused(
        file,
        'another run is writing to it',
        `wait for it; if there is no such run, remove ${lock}`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  try {
    return doing()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Whether the lock is ours now. */
function acquired(lock: string, file: string): boolean {
  try {
    if (!existsSync(dirname(lock))) mkdirSync(dirname(lock))
    closeSync(openSync(lock, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw unwritable(file, error)
  }
}

/** The whole line or nothing of it. */
function write(file: string, line: string): void {
  const [handle, before] = opened(file)
  try {
    const bytes = Buffer.from(line)
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } catch (error) {
    ftruncateSync(handle, before)
    if (before === 0) rmSync(file)
    throw unwritable(file, error)
  } finally {
    closeSync(handle)
  }
}

/** With its size. */
function opened(file: string): readonly [handle: number, size: number] {
  try {
    const handle = openSync(file, 'a')
    return [handle, fstatSync(handle).size]
  } catch (error) {
    throw unwritable(file, error)
  }
}
