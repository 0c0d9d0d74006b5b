/** Closes the folder of a run: a manifest of its files with their digests, and a signature where there is a key. */
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFolder } from '../journal/evidence.ts'
import {
  bundleFiles,
  counterexampleFiles,
  counterexamplesFolder,
  manifestFile,
  statementFile,
  unfinished,
} from '../names.ts'
import { pretty } from '../text.ts'
import { digestOfFile, type Digest, byCode, filesBelow, sha256 } from './digest.ts'
import type { RunRecord } from '../record.ts'
import { envelopeOf, type Signer } from './envelope.ts'
import { payloadType, statementOf } from './statement.ts'

export interface Sealed extends Digest {
  path: string
}

export interface Manifest {
  schemaVersion: 1
  /** Sorted by path; neither the manifest itself nor what is signed over it. */
  files: readonly Sealed[]
}

/**
 * `reports`: files with names that only their writer knows. The folder may contain files of others, so it is not
 * searched; those of an earlier run were deleted when this one began.
 */
export function manifestOf(folder: string, reports: readonly string[]): Manifest {
  const named = [...bundleFiles, ...reports].filter((path) => path !== manifestFile && path !== statementFile)
  const below = [evidenceFolder, counterexamplesFolder]
    .flatMap((inner) => {
      if (!lstatSync(join(folder, inner), { throwIfNoEntry: false })?.isDirectory()) return []
      return filesBelow(folder, inner).flatMap(({ path, plain }) => (plain ? [path] : []))
    })
    .filter(isOfRun)
  const paths = [
    ...new Set([
      ...named.filter((path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile()),
      ...below,
    ]),
  ]
  const files = paths.toSorted(byCode).map((path) => ({ path, ...digestOfFile(join(folder, path)) }))
  return { schemaVersion: 1, files }
}

export const manifestText = (folder: string, reports: readonly string[]): string =>
  pretty(manifestOf(folder, reports))

function isOfRun(path: string): boolean {
  const [top, name = '', file, ...deeper] = path.split('/')
  if (deeper.length > 0) return false
  if (top === evidenceFolder) return file === undefined && /^[0-9a-f]{64}$/.test(name)
  return counterexampleFiles.some((known) => known === file)
}

/**
 * Called when every other file is on disk. `record`: as it stands in run.json. Without a signer no statement stays.
 * `reports`: names of report files.
 */
export function sealFolder(
  path: string,
  record: RunRecord,
  signer: Signer | null,
  reports: readonly string[],
): void {
  const manifest = manifestText(path, reports)
  if (signer === null) rmSync(join(path, statementFile), { force: true })
  else {
    const subjects = { record: digestOfFile(join(path, 'run.json')).sha256, manifest: sha256(manifest) }
    const payload = Buffer.from(JSON.stringify(statementOf(record, subjects)))
    writeWhole(join(path, statementFile), pretty(envelopeOf(payloadType, payload, signer)))
  }
  // Last of all: a folder with a manifest and no signature was never signed, or lost it.
  writeWhole(join(path, manifestFile), manifest)
}

/** The record as it is rendered when it will be signed. */
export function withSigner(record: RunRecord, signer: Signer | null): RunRecord {
  return signer === null ? record : { ...record, signing: { keyid: signer.keyid } }
}

/** The whole file or none. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}${unfinished}`, content)
  renameSync(`${file}${unfinished}`, file)
}
