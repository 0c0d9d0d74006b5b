/** Where reports go: one file, or a folder, which may be that of the run itself. */
import { existsSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { exporters, reportFiles } from '../../reports/index.ts'
import type { Exporter } from '../../reports/index.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { parseJson } from '../../suites/wire/exchange.ts'
import { bundleFiles } from '../../reports/bundle/names.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import { sealFolder } from '../../reports/bundle/seal/seal.ts'
import { isOfRun } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { plainOrRefused } from '../../reports/bundle/folder/plain-file.ts'

export interface ReportedRun {
  path: string
  record: RunRecord
  /** Where a run ends that is not whole, in a sentence; else null. */
  ends: string | null
}

/** The path of each report. Throws a UsageError. */
export function placesFor(
  out: string,
  formats: readonly Exporter[],
  origin: ReportedRun,
): ReadonlyMap<Exporter, string> {
  if (out === '') throw new UsageError('--out: name a file or a folder.')
  const folder = formats.length > 1 || out.endsWith('/') || isFolder(out)
  const places = new Map(formats.map((one) => [one, folder ? join(out, one.file) : out]))
  if (new Set(places.values()).size < formats.length)
    throw new UsageError(`--out ${out}: two of the formats have the same file name; write them one by one.`)
  for (const [format, place] of places) mustNotHarm(place, format, origin)
  return places
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** The files of a run fit one another, and each may be replaced by itself alone. */
function mustNotHarm(place: string, format: Exporter, { path, record, ends }: ReportedRun): void {
  const refused = (why: string): UsageError => new UsageError(`--out ${place}: ${why}; name another place.`)
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw refused('that is a symbolic link')
  if (!isBelow(place, path)) {
    if (isOfRun(place)) throw refused('another run has its files there')
    return
  }
  if (ends !== null)
    throw refused('that is the folder of a run that is not whole, and all that there is of it')
  if (record.signing) throw refused('that folder is signed, and the signature would no longer fit')
  const itself = exporters.some((one) => one === format && one.file === basename(place))
  if (
    ([...bundleFiles, ...reportFiles].includes(basename(place)) && !itself) ||
    resolve(dirname(place)) !== resolve(path)
  )
    throw refused(`a report as ${format.name} would stand among what the run itself wrote`)
}

const isBelow = (place: string, folder: string): boolean => resolve(place).startsWith(resolve(folder) + sep)

/** Writes each, and closes the folder of the run again where one of them is in it. Throws a UsageError. */
export function writeRenderedReports(
  contents: ReadonlyMap<string, string | Uint8Array>,
  { path, record }: ReportedRun,
): void {
  for (const [place, content] of contents)
    try {
      makeFolder(resolve(dirname(place)))
      writeFileSync(place, content)
    } catch (error) {
      throw new UsageError(`--out ${place}: it cannot be written (${codeOf(error)}); give another path.`)
    }
  const within = [...contents.keys()].filter((place) => isBelow(place, path))
  const added = within.map((place) => relative(path, place).split(sep).join('/'))
  if (within.length > 0) sealFolder(path, record, null, [...added, ...sealedIn(path)])
}

/** Not the recursive mode of mkdir: it never comes to an end in a file system that allows no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

/** What was added to the folder before stays in its manifest. */
function sealedIn(path: string): readonly string[] {
  const file = join(path, manifestFile)
  const reading = existsSync(file) ? parseJson(plainOrRefused(file).toString('utf8')) : null
  const files = reading?.ok ? (reading.value as { files?: unknown } | null)?.files : []
  return Array.isArray(files)
    ? files.flatMap(({ path: one }: { path?: unknown }) => (typeof one === 'string' ? one : []))
    : []
}
