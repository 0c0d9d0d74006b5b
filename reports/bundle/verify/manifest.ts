/** Whether the files are those that the run wrote: none changed, none gone, none put there. */
import { join } from 'node:path'
import { parseJson } from '../json.ts'
import { ledgerFile } from '../names.ts'
import { digestOfFile } from '../seal/digest.ts'
import type { Sealed } from '../seal/manifest.ts'
import { manifestFile, statementFile } from '../seal/names.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { notVerified, countOf, incomplete, judged, type InspectionLine } from './line.ts'

export function inspectManifest(bundle: OpenedBundle): InspectionLine {
  const { found, has, json } = bundle
  if (!has(manifestFile))
    return incomplete(
      `there is no ${manifestFile}, which is written last: the run was cut off, or it was taken away`,
    )
  const files = filesIn(json(manifestFile))
  if (files === null) return notVerified(`${manifestFile} is no list of files`)
  const listed = new Set(files.map(({ path }) => path))
  const rest = found.filter(
    ({ path }) => !listed.has(path) && path !== manifestFile && path !== statementFile,
  )
  const problems = [
    ...files.flatMap((file) => problemsOf(file, bundle)),
    ...rest.map(({ path }) => `${path}: added, or there before the run; it is not in the manifest`),
  ]
  return judged(
    problems,
    `${countOf(files.length, 'file')} unchanged, no extra files`,
    'the files are not those that the run wrote',
  )
}

/** Null for anything but a manifest of ours. */
export function filesIn(reading: ReturnType<OpenedBundle['json']>): readonly Sealed[] | null {
  const { files } = ((reading.ok && reading.value) || {}) as { files?: unknown }
  if (!Array.isArray(files) || !files.every(isSealed)) return null
  return new Set(files.map(({ path }) => path)).size === files.length ? files : null
}

function isSealed(value: unknown): value is Sealed {
  if (typeof value !== 'object' || value === null) return false
  const { path, size, sha256 } = value as Partial<Record<keyof Sealed, unknown>>
  return typeof path === 'string' && typeof size === 'number' && typeof sha256 === 'string'
}

/** Only what lies below the folder is looked at, whatever a manifest names. */
function problemsOf({ path, size, sha256 }: Sealed, bundle: OpenedBundle): readonly string[] {
  const there = bundle.found.find((file) => file.path === path)
  if (!there) return [`${path}: removed`]
  if (!there.plain) return [`${path}: changed, it is no plain file any more`]
  try {
    const grows = path === ledgerFile
    const now = digestOfFile(join(bundle.path, path), grows ? size : undefined)
    if (now.sha256 !== sha256 || now.size !== size) return [`${path}: changed`]
    return grows && !onlyGone(bundle.bytes(path), size) ? [`${path}: changed after the run`] : []
  } catch {
    return [`${path}: cannot be read`]
  }
}

/** `touchstone cleanup` adds to the ledger what is gone by now, and nobody anything else. */
function onlyGone(bytes: Buffer | null, size: number): boolean {
  const added = bytes?.subarray(size).toString('utf8') ?? ''
  return added
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson)
    .every((line) => line.ok && /^\{"gone":"[^"]*"\}$/.test(JSON.stringify(line.value)))
}
