/** A signature without a key of one's own: by the identity of the CI job, with an entry in a transparency log. */
import type * as sigstore from 'sigstore'
import { visibleLine } from '../../reports/visible.ts'
import { UsageError } from '../usage-error.ts'

/** URLs; undefined: the public ones. */
interface SigstoreServices {
  fulcio?: string
  rekor?: string
}

/** Returns a Sigstore bundle as JSON. Throws a UsageError if it cannot be signed. */
export type SignWithSigstore = (payload: Buffer, payloadType: string) => Promise<string>

/** Throws a UsageError if the package sigstore is not installed. */
export async function sigstoreSigner({ fulcio, rekor }: SigstoreServices): Promise<SignWithSigstore> {
  const { attest } = await library()
  return async (payload, payloadType) => {
    try {
      const bundle = await attest(payload, payloadType, { fulcioURL: fulcio, rekorURL: rekor })
      return `${JSON.stringify(bundle, null, 2)}\n`
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new UsageError(
        `--sigstore: not signed (${visibleLine(why)}); run it in a CI job that may request an identity token, or set SIGSTORE_ID_TOKEN.`,
      )
    }
  }
}

async function library(): Promise<Pick<typeof sigstore, 'attest'>> {
  try {
    return await import('sigstore')
  } catch {
    throw new UsageError(
      '--sigstore needs the package sigstore, which is not installed: npm install sigstore',
    )
  }
}
