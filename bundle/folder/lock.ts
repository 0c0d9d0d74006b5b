/** One run at a time in a folder: two would make one bundle of both, and it would look like neither. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BundleError } from '../errors.ts'
import { readPlain } from './plain-file.ts'

export const lockFile = 'run.lock'

/** Folders that this process writes to: its own id in a lock may also be that of an earlier process. */
const held = new Set<string>()

/** Throws a BundleError while a run is writing there; a dead process loses its lock. Returns what unlocks. */
export function lockFolder(path: string): () => void {
  const folder = resolve(path)
  const lock = join(folder, lockFile)
  if (held.has(folder)) throw taken(path, process.pid)
  if (!made(lock)) {
    takeAway(path, lock)
    if (!made(lock)) throw taken(path, idIn(lock))
  }
  held.add(folder)
  return () => {
    held.delete(folder)
    if (idIn(lock) === process.pid) rmSync(lock, { force: true })
  }
}

/** The id of the process that is writing a run to this folder; null where none is. */
export function writerIn(path: string): number | null {
  const pid = idIn(join(path, lockFile))
  return pid !== null && isHeld(path, pid) ? pid : null
}

/** A lock with our own id that we do not hold was left by an earlier process of that id. */
function isHeld(path: string, pid: number): boolean {
  return pid === process.pid ? held.has(resolve(path)) : isAlive(pid)
}

function taken(path: string, pid: number | null): BundleError {
  return new BundleError(
    `${path}: another run is writing there (process ${pid ?? 'unknown'}); wait for it or name another ` +
      `folder. Where there is no such run, remove ${join(path, lockFile)}.`,
  )
}

function made(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    // On a full disk an empty file is left.
    rmSync(lock, { force: true })
    throw error
  }
}

/** Moved away rather than removed: of two that find the same old lock, one gets it. */
function takeAway(path: string, lock: string): void {
  const before = idIn(lock)
  // Without an id it was made this moment, or by somebody else.
  if (before === null ? existsSync(lock) : isHeld(path, before)) throw taken(path, before)
  if (before === null) return
  const aside = `${lock}.${process.pid}`
  renameSync(lock, aside)
  const moved = idIn(aside)
  if (moved !== before) {
    // The other was faster, and what was moved is its new lock.
    renameSync(aside, lock)
    throw taken(path, moved)
  }
  rmSync(aside, { force: true })
}

function idIn(lock: string): number | null {
  try {
    const text = readPlain(lock).toString('utf8').trim()
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  } catch {
    return null
  }
}

/** A process of somebody else may not be signalled, and is there all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
