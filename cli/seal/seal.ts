/** Closes the folder of a run: a manifest over its files, and over that a signature where there is a key. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunRecord } from '../../suites/record.ts'
import { digestOfFile, sha256 } from './digest.ts'
import { envelopeOf, type Signer } from './envelope.ts'
import { manifestOf } from './manifest.ts'
import { manifestFile, statementFile } from './names.ts'
import { payloadType, statementOf } from './statement.ts'

/**
 * Called when every other file is on disk. `record`: as it stands in run.json. Without a signer an earlier statement
 * stays only while it is still about these files. `more`: files under names of the user's choosing.
 */
export function sealFolder(
  path: string,
  record: RunRecord,
  signer: Signer | null,
  more: readonly string[] = [],
): void {
  const manifest = text(manifestOf(path, more))
  const before = contentOf(join(path, manifestFile))
  writeFileSync(join(path, manifestFile), manifest)
  if (signer === null) {
    if (before !== manifest) rmSync(join(path, statementFile), { force: true })
    return
  }
  const subjects = { record: digestOfFile(join(path, 'run.json')).sha256, manifest: sha256(manifest) }
  const payload = Buffer.from(JSON.stringify(statementOf(record, subjects)))
  writeFileSync(join(path, statementFile), text(envelopeOf(payloadType, payload, signer)))
}

/** The record as it is rendered when it will be signed. */
export function withSigner(record: RunRecord, signer: Signer | null): RunRecord {
  return signer === null ? record : { ...record, signing: { keyid: signer.keyid } }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
