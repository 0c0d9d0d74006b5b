/** Closes the folder of a run: a manifest over its files, and over that a signature where there is a key. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRecord } from '../record.ts'
import { pretty } from '../text.ts'
import { manifestFile, statementFile, unfinished } from '../names.ts'
import { digestOfFile, sha256 } from './digest.ts'
import { envelopeOf, type Signer } from './envelope.ts'
import { manifestText } from './manifest.ts'
import { payloadType, statementOf } from './statement.ts'

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
