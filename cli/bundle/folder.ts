/** The folder that a run writes to: proven before the first request, held by one run, and cleared of an earlier one. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { lockFolder } from './lock.ts'
import { clearRun, mustHaveRoom } from './clearing.ts'
import { unfinished } from './unfinished.ts'

export interface Folder {
  readonly path: string
  /** The whole file or none: a reader never sees a part of it. `file` may lie in a folder below. */
  write(file: string, content: string | Uint8Array): void
  /** Adds to a file. It has left the process when this returns, and is on disk unless `lasting` is false. */
  append(file: string, line: string, lasting?: boolean): void
  /** A file that grows line by line. It must not be there yet. */
  grow(file: string): Growing
  /** Lets another run write there. */
  release(): void
}

/** What was added has left the process when `add` returns, and is on disk after `end`. */
export interface Growing {
  add(line: string): void
  /** Throws where the file is no longer where it was made. */
  end(): void
}

/**
 * Throws a UsageError when the folder cannot be made or written to, or another run is writing there. `mayClear` is
 * asked, and may throw, before what an earlier run left is taken away.
 */
export function openFolder(path: string, mayClear: () => void = () => {}): Folder {
  if (path === '') throw new UsageError('--out: name a folder; a dot is the one that this runs in.')
  const release = proven(path, () => {
    makeFolder(resolve(path))
    return lockFolder(path)
  })
  try {
    mayClear()
    mustHaveRoom(path)
    // An old report beside a run that broke off would be taken for its result.
    proven(path, () => clearRun(path))
  } catch (error) {
    release()
    throw error
  }
  const append = (file: string, line: string, lasting = true): void =>
    appendFileSync(join(path, file), line, { flush: lasting })
  return { path, write: writerTo(path), append, grow: (file) => growing(join(path, file)), release }
}

function proven<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `--out ${path}: reports cannot be written there (${codeOf(error)}); name another folder.`,
    )
  }
}

function writerTo(path: string): Folder['write'] {
  return (file, content) => {
    const [whole, part] = [join(path, file), join(path, `${file}${unfinished}`)]
    if (file.includes('/')) makeFolder(dirname(whole), path)
    try {
      // What lies below is known by its digest, or made again from what is above.
      writeFileSync(part, content, { flush: !file.includes('/') })
      renameSync(part, whole)
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
  }
}

/** Not the recursive mode of mkdir: it never comes to an end in a file system that allows no folders, such as /proc. */
function makeFolder(path: string, below?: string): void {
  if (path === below || existsSync(path)) return
  makeFolder(dirname(path), below)
  mkdirSync(path)
}

function growing(file: string): Growing {
  const handle = openSync(file, 'ax')
  return {
    add(line) {
      // One call for one line, but where the disk has less room than that.
      const bytes = Buffer.from(line)
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    },
    end() {
      try {
        fsyncSync(handle)
        // Removed or moved away, it would have gone on growing where nobody finds it.
        if (statSync(file).ino !== fstatSync(handle).ino)
          throw new UsageError(
            `${file} is another file now: somebody took away the one that the run wrote, so it cannot be reported; run it again.`,
          )
      } finally {
        closeSync(handle)
      }
    },
  }
}
