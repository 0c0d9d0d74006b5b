/** The folders that may be read: those named at the start, and no others afterwards. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { journalFile, planFile, recordFile } from '../../reports/bundle/names.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface NamedRun {
  /** Unique; the name of its folder where that is. */
  id: string
  /** As it was named. */
  path: string
}

export interface NamedRuns {
  runs: readonly NamedRun[]
  /** The id of the earlier run of `--since`. */
  since: string | null
}

const bundleMarks = [recordFile, planFile, journalFile, manifestFile]

/** Throws a UsageError for a folder that neither is a run bundle nor has one directly inside. */
export function namedRuns(folders: readonly string[], since?: string): NamedRuns {
  const paths = folders.flatMap(bundlesIn)
  const earlier = since === undefined ? [] : [mustBeBundle(since)]
  const unique = new Map([...paths, ...earlier].map((path) => [resolve(path), path]))
  const taken = new Set<string>()
  const runs = [...unique.values()].map((path) => ({ id: freeId(basename(resolve(path)), taken), path }))
  const isSince = ({ path }: NamedRun): boolean => since !== undefined && resolve(path) === resolve(since)
  return { runs, since: runs.find(isSince)?.id ?? null }
}

/** The newest first, where a folder has several. */
function bundlesIn(folder: string): readonly string[] {
  const entries = entriesOf(folder)
  if (isBundle(entries)) return [folder]
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .filter((path) => isBundle(entriesOf(path)))
  if (inside.length === 0) throw noRun(folder)
  return inside.toSorted((one, other) => writtenAt(other) - writtenAt(one))
}

function mustBeBundle(folder: string): string {
  if (isBundle(entriesOf(folder))) return folder
  throw noRun(folder)
}

const noRun = (folder: string): UsageError =>
  new UsageError(
    `${folder} holds no run: give a folder that a check wrote to, such as touchstone-report, or one with such folders inside.`,
  )

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw new UsageError(
      `${folder} cannot be read (${codeOf(error)}): give a folder that a check wrote to, such as touchstone-report.`,
    )
  }
}

const isBundle = (entries: ReturnType<typeof entriesOf>): boolean =>
  entries.some((entry) => entry.isFile() && bundleMarks.includes(entry.name))

/** The plan is written before the first request. */
const writtenAt = (path: string): number =>
  statSync(join(path, planFile), { throwIfNoEntry: false })?.mtimeMs ?? 0

function freeId(name: string, taken: Set<string>): string {
  let id = name
  for (let number = 2; taken.has(id); number++) id = `${name}-${number}`
  taken.add(id)
  return id
}
