/** Whether the files are those that the run wrote: none changed, none gone, none put there. */
import { parseJson } from '../json.ts'
import { writerIn } from '../folder/lock.ts'
import { journalFile, ledgerFile, manifestFile, statementFile, unfinished } from '../names.ts'
import { sha256, type FoundFile } from '../seal/digest.ts'
import { manifestText, type Sealed } from '../seal/manifest.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { manifestStated } from './signature.ts'
import { notVerified, countOf, holds, incomplete, judged, type InspectionLine } from './schema.ts'

export function inspectManifest(bundle: OpenedBundle): InspectionLine {
  const { found, has, json } = bundle
  if (!has(manifestFile)) return withoutManifest(bundle)
  const files = filesIn(json(manifestFile))
  if (files === null) return notVerified(`${manifestFile} is no list of files`)
  const listed = new Set(files.map(({ path }) => path))
  const rest = found.filter(
    ({ path }) => !listed.has(path) && path !== manifestFile && path !== statementFile,
  )
  const there = new Map(found.map((file) => [file.path, file]))
  const problems = [
    ...files.flatMap((file) => problemsOf(file, there.get(file.path), bundle)),
    ...rest.map(({ path }) => {
      const ofDesktop = /(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(path)
        ? '; the desktop wrote it: delete it'
        : ''
      return `${path}: added, or there before the run; it is not in the manifest${ofDesktop}`
    }),
  ]
  if (problems.length > 0 && problems.every((problem) => problem.endsWith(inLineEnds)))
    return notVerified(`${countOf(problems.length, 'file')}: ${lineEndsChanged}`)
  return judged(
    problems,
    `${countOf(files.length, 'file')} unchanged, no extra files`,
    'the files are not those that the run wrote',
  )
}

/** A statement is written before the manifest and has its digest: the manifest of the same files is made again. */
function withoutManifest({ path, found, json }: OpenedBundle): InspectionLine {
  const missing = `there is no ${manifestFile}, which is written last`
  const stated = manifestStated(json(statementFile))
  if (stated === undefined) return incomplete(`${missing}: the run was cut off, or it was taken away`)
  const names = found.map((file) => file.path).filter((name) => !name.endsWith(unfinished))
  return sha256(manifestText(path, names)) === stated
    ? incomplete(`${missing}; the files are those that were signed`)
    : notVerified(`there is no ${manifestFile}, and the files are not those that were signed`)
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

const inLineEnds = ' in its line ends'
export const lineEndsChanged = 'line ends changed (git autocrlf?): keep `* -text` for run folders'

/** Only what lies below the folder is looked at, whatever a manifest names. */
function problemsOf(
  { path, size, sha256: digest }: Sealed,
  there: FoundFile | undefined,
  bundle: OpenedBundle,
): readonly string[] {
  if (!there) return [`${path}: removed`]
  if (!there.plain) return [`${path}: changed, it is no plain file any more`]
  const grows = path === ledgerFile
  const begun = grows ? bundle.bytes(path)?.subarray(0, size) : undefined
  const now = begun ? { size: begun.length, sha256: sha256(begun) } : grows ? null : bundle.digest(path)
  if (now === null) return [`${path}: cannot be read`]
  if (now.sha256 !== digest || now.size !== size) {
    const before = (bundle.bytes(path) ?? Buffer.alloc(0)).toString('latin1').replaceAll('\r\n', '\n')
    const isSame = sha256(Buffer.from(grows ? before.slice(0, size) : before, 'latin1')) === digest
    return [`${path}: changed${isSame ? inLineEnds : ''}`]
  }
  return grows && !onlyGone(bundle.bytes(path), size) ? [`${path}: changed after the run`] : []
}

/** Only `touchstone cleanup` may add to the ledger, and only what is gone by now. */
function onlyGone(bytes: Buffer | null, size: number): boolean {
  const added = bytes?.subarray(size).toString('utf8') ?? ''
  return added
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson)
    .every((line) => line.ok && /^\{"gone":"[^"]*"\}$/.test(JSON.stringify(line.value)))
}

/** Written before the first request. */
const early = ['plan.json', 'judging.json']

/** Whether the files that everything else rests on are there and can be read. */
export function inspectFiles({ path, found, has, bytes, chain, cutOff }: OpenedBundle): InspectionLine {
  const links = found
    .filter(({ plain }) => !plain)
    .map((file) => `${file.path}: is a link, or nothing that can be read, and was not followed`)
  // Between the plan and its first line a journal is not yet there.
  const needed = cutOff ? early : ['run.json', ...early, journalFile]
  const missing = needed
    // The journal was read line by line.
    .filter((file) => (file === journalFile ? chain : bytes(file)) === null)
    .map((file) => `${file}: ${has(file) ? 'cannot be read' : 'is not there'}`)
  const problems = [...missing, ...links]
  if (problems.length > 0) return notVerified('not all that a run writes can be read', problems)
  const writer = writerIn(path)
  if (writer !== null) return incomplete(`process ${writer} is still writing this run: wait for its end`)
  return cutOff
    ? incomplete('the run was cut off: it wrote no run.json')
    : holds(countOf(found.length, 'file'))
}
