/** The folder of a run: written beside the folder that was named, which it replaces when it is complete. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  rmdirSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BundleError, systemReason } from '../errors.ts'
import { lockFile, lockFolder } from './lock.ts'
import { mustBePlain } from './plain-file.ts'
import { unfinished } from '../names.ts'
import { mustBeMovable, mustBeReplaceable, mustKeepSigned, previousOf, runningOf } from './report-folder.ts'

export interface Folder {
  /** Where the files are until `publish`. */
  readonly path: string
  readonly out: string
  /** The whole file or none: a reader never sees a part of it. `file` may lie in a folder below. */
  write(file: string, content: string | Uint8Array): void
  /** The beginning of a file of another folder, `size` bytes of it. */
  copy(file: string, from: string, size?: number): void
  /** Adds to a file. It has left the process when this returns, and is on disk unless `lasting` is false. */
  append(file: string, line: string, lasting?: boolean): void
  /** A file that grows line by line. It must not be there yet. */
  grow(file: string): Growing
  /** Moves the files to `out`. A report that was there is kept as `out.previous`. Throws a BundleError. */
  publish(): void
  discard(): void
  release(): void
}

/** What was added has left the process when `add` returns, and is on disk after `end`. */
export interface Growing {
  add(line: string): void
  /** Throws where the file is no longer where it was made. */
  end(): void
}

/**
 * Throws a BundleError when the folder cannot be written to or replaced, or another run is writing there. `reports`: the
 * names of report files. `mayReplace` is called, and may throw, before what a killed run left is deleted.
 */
export function openFolder(
  out: string,
  reports: readonly string[],
  mayReplace: () => void = () => {},
): Folder {
  if (out === '') throw new BundleError('the name of the folder for the run is empty; name one.')
  const [path, previous] = [runningOf(out), previousOf(out)]
  const mustFit = (): void => {
    for (const one of [out, previous, path]) mustBeReplaceable(one, reports)
    mustKeepSigned(out)
  }
  const release = proven(out, () => {
    mustBeMovable(out)
    mustFit()
    makeFolder(resolve(path))
    return lockFolder(path)
  })
  try {
    mayReplace()
    // Deletes what a killed run left, but for the lock.
    proven(out, () => {
      for (const name of readdirSync(path))
        if (name !== lockFile) rmSync(join(path, name), { recursive: true, force: true })
    })
  } catch (error) {
    release()
    if (readdirSync(path).length === 0) rmdirSync(path)
    throw error
  }
  return {
    path,
    out,
    write: (file, content) => putWhole(path, file, (part, flush) => writeFileSync(part, content, { flush })),
    copy: (file, from, size) => putWhole(path, file, (part, flush) => copyBytes(from, part, { size, flush })),
    append: (file, line, lasting = true) => appendFileSync(join(path, file), line, { flush: lasting }),
    grow: (file) => growing(join(path, file)),
    publish() {
      mustFit()
      release()
      replace({ path, out, previous })
    },
    discard() {
      rmSync(path, { recursive: true, force: true })
      release()
    },
    release,
  }
}

/** Whichever step fails, both the earlier report and the new one are still on disk. */
function replace({ path, out, previous }: { path: string; out: string; previous: string }): void {
  const isReport = existsSync(out) && readdirSync(out).length > 0
  try {
    if (isReport) {
      rmSync(previous, { recursive: true, force: true })
      renameSync(out, previous)
    } else if (existsSync(out)) rmdirSync(out)
    renameSync(path, out)
  } catch (error) {
    if (isReport && !existsSync(out)) renameSync(previous, out)
    throw new BundleError(
      `${out} cannot be replaced (${systemReason(error)}); the complete report is in ${path}.`,
    )
  }
}

function proven<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    if (error instanceof BundleError) throw error
    throw new BundleError(
      `${path}: reports cannot be written there (${systemReason(error)}); name another folder.`,
    )
  }
}

/** What lies below is known by its digest, or made again from what is above, so only what is above is flushed. */
function putWhole(path: string, file: string, put: (part: string, flush: boolean) => void): void {
  const [whole, part] = [join(path, file), join(path, `${file}${unfinished}`)]
  if (file.includes('/')) makeFolder(dirname(whole), path)
  try {
    put(part, !file.includes('/'))
    renameSync(part, whole)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** One for all files, as no two are copied at the same time. */
const piece = Buffer.allocUnsafeSlow(1 << 18)

/** A piece at a time: a journal may be hundreds of megabytes. */
function copyBytes(
  from: string,
  to: string,
  { size = Infinity, flush }: { size?: number | undefined; flush: boolean },
): void {
  mustBePlain(from)
  const [source, target] = [openSync(from, 'r'), openSync(to, 'w')]
  try {
    for (let left = size; left > 0;) {
      const read = readSync(source, piece, 0, Math.min(left, piece.length), null)
      if (read === 0) break
      writeWhole(target, piece.subarray(0, read))
      left -= read
    }
    if (flush) fsyncSync(target)
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

/** In one call, but where the disk has less room than that. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

/** Not the recursive mode of mkdir: it never comes to an end in a file system that allows no folders, such as /proc. */
export function makeFolder(path: string, below?: string): void {
  if (path === below || existsSync(path)) return
  makeFolder(dirname(path), below)
  mkdirSync(path)
}

function growing(file: string): Growing {
  const handle = openSync(file, 'ax')
  return {
    add(line) {
      writeWhole(handle, Buffer.from(line))
    },
    end() {
      try {
        fsyncSync(handle)
        // Removed or moved away, it would have gone on growing unseen.
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
