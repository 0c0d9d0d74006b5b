/** The folder of a report, and the two beside it: the run in progress, and the report before this one. */
import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { evidenceFolder, isEvidence } from '../journal/evidence.ts'
import { BundleError } from '../errors.ts'
import {
  basisFile,
  bundleFiles,
  counterexampleFiles,
  counterexamplesFolder,
  journalFile,
  ledgerFile,
  manifestFile,
  planFile,
  recordFile,
  statementFile,
  unfinished,
} from '../names.ts'
import { lockFile } from './lock.ts'

/** Where a run is written until it is complete. */
export const runningOf = (out: string): string => `${trimmed(out)}.running`
/** The report that the newest one replaced. */
export const previousOf = (out: string): string => `${trimmed(out)}.previous`

const trimmed = (path: string): string => path.replace(/(?<=.)[/\\]+$/, '')

/** Throws a BundleError if the folder may not be replaced: it is no report of ours, or contains anything else. */
export function mustBeReplaceable(path: string, reports: readonly string[]): void {
  const there = lstatSync(trimmed(path), { throwIfNoEntry: false })
  if (!there) return
  if (there.isSymbolicLink())
    throw new BundleError(`${path} is a symbolic link; name the folder itself, or another one.`)
  if (!there.isDirectory()) throw new BundleError(`${path} is a file; name a folder.`)
  const [foreign] = foreignIn(path, reports)
  if (foreign !== undefined)
    throw new BundleError(
      `${path} contains ${foreign}, which is not part of a report, so it is not replaced; ` +
        `move that away, or name another folder, such as ${join(path, 'touchstone-report')}.`,
    )
}

/** Throws a BundleError if a new report would delete the last signed one: the last but one is not kept. */
export function mustKeepSigned(out: string): void {
  const previous = previousOf(out)
  const isSigned = (folder: string): boolean => existsSync(join(folder, statementFile))
  if (isSigned(previous) && !isSigned(out) && existsSync(out) && readdirSync(out).length > 0)
    throw new BundleError(
      `${previous} is the last signed run, which a further one would delete; move it away, or name another folder.`,
    )
}

/** Throws a BundleError if renaming cannot replace the folder, as the current folder or a mounted one. */
export function mustBeMovable(path: string): void {
  const folder = resolve(path)
  const below = `name a folder below it, such as ${join(path, 'touchstone-report')}.`
  if (!relative(folder, process.cwd()).startsWith('..'))
    throw new BundleError(`${path} is the current folder, or contains it; ${below}`)
  if (existsSync(folder) && statSync(folder).dev !== statSync(dirname(folder)).dev)
    throw new BundleError(`${path} is a mounted file system, which cannot be replaced; ${below}`)
}

/** Paths in a folder that no run writes. A symbolic link is always one. */
function foreignIn(path: string, reports: readonly string[]): readonly string[] {
  const entries = readdirSync(path, { withFileTypes: true })
  const isRun = entries.some(({ name }) => [basisFile, planFile, recordFile, journalFile].includes(name))
  const files = new Set(
    isRun ? [...bundleFiles, ...reports, ...listedIn(path), lockFile] : [lockFile, ledgerFile],
  )
  const foreign = entries.filter((entry) =>
    entry.isDirectory()
      ? !isRun || !(entry.name in folders)
      : !(entry.isFile() && files.has(whole(entry.name))),
  )
  return [
    ...foreign.map(({ name }) => name),
    ...entries
      .filter((entry) => entry.isDirectory() && !foreign.includes(entry))
      .flatMap(({ name }) => (folders[name]?.(join(path, name)) ?? []).map((below) => `${name}/${below}`)),
  ]
}

const folders: Readonly<Record<string, (path: string) => readonly string[]>> = {
  [evidenceFolder]: (path) => namesIn(path, (name) => !isEvidence(name)),
  [counterexamplesFolder]: (path) => strangersTwoBelow(path, counterexampleFiles),
}

/** In folders of a folder, all but files with these names. */
function strangersTwoBelow(path: string, known: readonly string[]): readonly string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? namesIn(join(path, entry.name), (name) => !known.includes(whole(name))).map(
          (name) => `${entry.name}/${name}`,
        )
      : [entry.name],
  )
}

const whole = (name: string): string => (name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name)

/** The entries that are not plain files, or that `isForeign` says. */
function namesIn(path: string, isForeign: (name: string) => boolean): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isFile() || isForeign(entry.name))
    .map(({ name }) => name)
}

function listedIn(path: string): readonly string[] {
  try {
    const { files } = JSON.parse(readFileSync(join(path, manifestFile), 'utf8')) as {
      files: { path: string }[]
    }
    return files.map((file) => file.path)
  } catch {
    return []
  }
}
