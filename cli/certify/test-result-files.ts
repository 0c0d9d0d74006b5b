/** The result as an in-toto test result over every file of the folder: signed with a key, by Sigstore, or both. */
import { join } from 'node:path'
import type { Run } from '../../reports/bundle/record.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { envelopeOf } from '../../reports/bundle/seal/envelope.ts'
import { sigstoreFile, testResultFile } from '../../reports/bundle/seal/names.ts'
import { inTotoSubjects, payloadType } from '../../reports/bundle/seal/statement.ts'
import { testResultOf } from '../../reports/conformance-statement/index.ts'
import type { Signer } from '../seal/signer.ts'
import type { OutputFolder } from './output-folder.ts'
import type { SignWithSigstore } from './sigstore.ts'

export interface Signers {
  key: Signer | null
  sigstore: SignWithSigstore | null
}

/**
 * Writes them last, since they have the digests of all other files. `record`, `manifest`: SHA-256, hex, of both files of
 * the bundle. Throws a UsageError if Sigstore does not sign.
 */
export async function writeTestResults(
  folder: OutputFolder,
  signers: Signers,
  run: Run,
  stated: Parameters<typeof inTotoSubjects>[0] & Parameters<typeof testResultOf>[2],
): Promise<void> {
  const payload = (): Buffer => {
    const files = folder
      .files()
      .map((name) => ({ name, digest: { sha256: digestOfFile(join(folder.path, name)).sha256 } }))
    return Buffer.from(JSON.stringify(testResultOf(run, [...inTotoSubjects(stated), ...files], stated)))
  }
  if (signers.sigstore !== null)
    folder.write([[sigstoreFile, await signers.sigstore(payload(), payloadType)]])
  if (signers.key !== null) {
    const envelope = envelopeOf(payloadType, payload(), signers.key)
    folder.write([[testResultFile, `${JSON.stringify(envelope, null, 2)}\n`]])
  }
}
