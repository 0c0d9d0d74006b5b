/** Verifies one run bundle, and keeps of it what a site shows. */
import type { KeyObject } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BundleError } from '../../reports/bundle/errors.ts'
import { recordFile } from '../../reports/bundle/names.ts'
import { sha256 } from '../../reports/bundle/seal/digest.ts'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile, statementFile } from '../../reports/bundle/seal/names.ts'
import { readStatement } from '../../reports/bundle/seal/read-statement.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import { runEntryOf, type UncountedBundle, type RunEntry } from '../../reports/runs-site/index.ts'
import { codeOf } from '../values.ts'
import type { InspectedPart } from '../verify/conclusion.ts'
import { inspectedParts } from '../verify/verify.ts'

export interface Verification {
  keys: readonly KeyObject[]
  rejudge: boolean
  /** Milliseconds since 1970. */
  now: number
}

/** Of clocks. Milliseconds. */
const tolerance = 300_000
/** A statement is a few kilobytes. */
const mostOfStatement = 256 * 1024

/** `place`: how the pages name the bundle. Never throws. */
export function verifiedEntry(path: string, place: string, how: Verification): RunEntry | UncountedBundle {
  try {
    return inspected(path, place, how)
  } catch (error) {
    return notCounted(
      place,
      error instanceof BundleError ? error.message : `cannot be read (${codeOf(error)})`,
    )
  }
}

const notCounted = (place: string, why: string, problems: readonly string[] = []): UncountedBundle => ({
  place,
  why,
  problems,
})

function inspected(
  path: string,
  place: string,
  { keys, rejudge, now }: Verification,
): RunEntry | UncountedBundle {
  if (wasKilled(path)) return notCounted(place, 'cut off or still running: there is no run.json')
  const signer = keys.length === 0 ? null : signerOf(path, keys)
  if (typeof signer === 'string') return notCounted(place, signer)
  const bundle = openForVerification(path)
  const parts = [...inspectedParts(bundle, { key: signer, rejudge }, unneeded)]
  const broken = parts.filter(({ outcome }) => outcome === 'broken')
  if (broken.length > 0)
    return notCounted(
      place,
      wordsOf(broken),
      broken.flatMap(({ problems }) => problems),
    )
  const unfinished = parts.filter(({ outcome }) => outcome === 'incomplete')
  const { record } = bundle
  const bytes = bundle.bytes(recordFile)
  const missing = unfinished.filter(({ about }) => !byVersion.has(about))
  if (record === null || bytes === null || missing.length > 0)
    return notCounted(place, missing.length > 0 ? wordsOf(missing) : 'there is no record')
  if (!isPast(record.run, now))
    return notCounted(place, `dated in the future, or without a date: ${record.run.endedAt}`)
  return runEntryOf(record, {
    place,
    digest: sha256(bytes),
    manifests: [
      sha256(bundle.bytes(manifestFile) ?? ''),
      ...(record.merged?.shards ?? []).map(({ manifest }) => manifest),
    ],
    signedBy: signer && keyIdOf(signer),
    inPart: unfinished.length === 0 ? null : wordsOf(unfinished),
  })
}

/** A run writes its record and its manifest last. */
const wasKilled = (path: string): boolean =>
  [recordFile, manifestFile, statementFile].every(
    (file) => lstatSync(join(path, file), { throwIfNoEntry: false }) === undefined,
  )

/** The key that signed the statement, or why none did. */
function signerOf(path: string, keys: readonly KeyObject[]): KeyObject | string {
  const file = join(path, statementFile)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return 'not signed'
  if (!stat.isFile() || stat.size > mostOfStatement) return `${statementFile} is no signed statement`
  const reading = readStatement(readFileSync(file), keys)
  return 'why' in reading ? `${statementFile}: ${reading.why}` : reading.key
}

/** The reports in a bundle are not made again: no page depends on them. */
const unneeded: readonly string[] = ['reports']

/** What another version of Touchstone leaves open, and what says nothing of the run. */
const byVersion: ReadonlySet<string> = new Set(['plan', 'record', 'answers', 'verdicts'])

const wordsOf = (parts: readonly InspectedPart[]): string =>
  parts.map(({ about, words }) => `${about}: ${words}`).join('; ')

function isPast({ startedAt, endedAt }: { startedAt: string; endedAt: string }, now: number): boolean {
  return Date.parse(startedAt) <= now + tolerance && Date.parse(endedAt) <= now + tolerance
}
