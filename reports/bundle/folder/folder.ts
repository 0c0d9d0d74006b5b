/** The folder of a run: checked before the first request, locked, and cleared of an earlier run. */
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
import { BundleError, codeOf } from '../errors.ts'
import { lockFolder } from './lock.ts'
import { clearRun, mustHaveRoom } from './clear.ts'
import { unfinished } from '../names.ts'

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
 * Throws a BundleError when the folder cannot be created or written to, or another run is writing there. `reports`: the
 * names of report files. `mayClear` is called, and may throw, before the files of an earlier run are deleted.
 */
export function openFolder(
  path: string,
  reports: readonly string[],
  mayClear: () => void = () => {},
): Folder {
  if (path === '') throw new BundleError('name a folder for the run; a dot is the current one.')
  const release = proven(path, () => {
    makeFolder(resolve(path))
    return lockFolder(path)
  })
  try {
    mayClear()
    mustHaveRoom(path, reports)
    // An old report beside a run that broke off would be taken for its result.
    proven(path, () => clearRun(path, reports))
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
    if (error instanceof BundleError) throw error
    throw new BundleError(`${path}: reports cannot be written there (${codeOf(error)}); name another folder.`)
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
          throw new BundleError(
            `${file} is another file now: the one that the run wrote was removed, so it cannot be reported; run it again.`,
          )
      } finally {
        closeSync(handle)
      }
    },
  }
}
