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
import type { Signer } from '../bundle/seal/envelope.ts'
import { signedLine, type RunEnd, type RunLogEntry, type RunStart } from './entry.ts'
import { readRunLog, type RunLog } from './read.ts'

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

/** Throws a BundleError for a log that this signer cannot append to. */
export function openRunLog(file: string, { signer, now, longestWait = 10_000 }: RunLogOptions): RunLogWriter {
  withLock(file, longestWait, () => mustFit(file, readIfThere(file), signer))
  return {
    append(run, content) {
      withLock(file, longestWait, () => {
        const { digests, entries } = mustFit(file, readIfThere(file), signer)
        const [last, previous = null] = [entries.at(-1), digests.at(-1)]
        const at = content.is === 'start' ? notFarBefore(last?.at, now(), file) : laterOf(last?.at, now())
        const entry: RunLogEntry = {
          schemaVersion: 1,
          number: entries.length + 1,
          previous,
          at,
          run,
          ...content,
        }
        write(file, `${signedLine(entry, signer)}\n`)
      })
    },
  }
}

const refused = (file: string, why: string, remedy: string): BundleError =>
  new BundleError(`--log ${file}: ${why}; ${remedy}.`)

const unwritable = (file: string, error: unknown): BundleError =>
  refused(file, `cannot be written (${codeOf(error)})`, 'fix that or name another file')

function readIfThere(file: string): Buffer {
  try {
    return readPlain(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw unwritable(file, error)
  }
}

/** Everything but the signatures, for which the public key is not there. */
function mustFit(file: string, bytes: Buffer, { keyid }: Signer): Pick<RunLog, 'digests' | 'entries'> {
  if (bytes.length === 0) return { digests: [], entries: [] }
  const log = readRunLog(bytes, null)
  const [problem] = log.problems
  if (problem !== undefined)
    throw refused(file, problem, '`touchstone log verify` lists every problem; begin another log')
  if (log.keyid !== keyid)
    throw refused(
      file,
      `was begun with another key (key id ${log.keyid})`,
      'a log has one signer: name another file, or a folder',
    )
  return log
}

function notFarBefore(last: string | undefined, now: string, file: string): string {
  if (last !== undefined && Date.parse(last) > Date.parse(now) + tolerance)
    throw refused(file, `its last entry is of ${last}, and it is ${now}`, 'set the clock of this machine')
  return laterOf(last, now)
}

/** Clocks are set back by seconds now and then; the order of the entries is certain. */
const laterOf = (last: string | undefined, now: string): string =>
  last !== undefined && last > now ? last : now

function withLock(file: string, longestWait: number, doing: () => void): void {
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
    doing()
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
