/** One run at a time in a folder: two would make one bundle of both, and it would look like neither. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'

export const lockFile = 'run.lock'

/** Folders that this process writes to: its own id in a lock may also be that of an earlier process. */
const held = new Set<string>()

/**
 * Throws a UsageError while a run is writing there. The lock of a process that is gone is taken over. Gives what
 * gives the lock back.
 */
export function lockFolder(path: string): () => void {
  const folder = resolve(path)
  const lock = join(folder, lockFile)
  const mine = `${lock}.${process.pid}`
  if (held.has(folder)) throw taken(path, process.pid)
  // Written elsewhere first: a lock that is there always says whose it is.
  writeFileSync(mine, `${process.pid}\n`)
  try {
    if (!linked(mine, lock)) {
      takeAway(path, lock)
      if (!linked(mine, lock)) throw taken(path, writerIn(folder))
    }
  } finally {
    rmSync(mine, { force: true })
  }
  held.add(folder)
  return () => {
    held.delete(folder)
    if (idIn(lock) === process.pid) rmSync(lock, { force: true })
  }
}

/** The id of the process that is writing a run to this folder; null where nobody is. */
export function writerIn(path: string): number | null {
  const folder = resolve(path)
  const pid = idIn(join(folder, lockFile))
  if (pid === process.pid) return held.has(folder) ? pid : null
  return pid !== null && isAlive(pid) ? pid : null
}

function taken(path: string, pid: number | null): UsageError {
  return new UsageError(
    `--out ${path}: another run is writing there (process ${pid ?? 'unknown'}); wait for it or name another ` +
      `folder. Where there is no such run, remove ${join(path, lockFile)}.`,
  )
}

/** Whether the lock was free: a link is made whole or not at all. */
function linked(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moved away rather than removed: of two that find the same old lock, one gets it. */
function takeAway(path: string, lock: string): void {
  const writer = writerIn(path)
  if (writer !== null) throw taken(path, writer)
  const aside = `${lock}.${process.pid}.old`
  renameSync(lock, aside)
  const moved = idIn(aside)
  // The other was faster, and what was moved is its new lock.
  if (moved !== null && moved !== process.pid && isAlive(moved)) {
    renameSync(aside, lock)
    throw taken(path, moved)
  }
  rmSync(aside, { force: true })
}

function idIn(lock: string): number | null {
  try {
    const text = readFileSync(lock, 'utf8').trim()
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
