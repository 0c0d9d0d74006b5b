/** Verifies a bundle with the Sigstore project's verifier, which trusts only the services of this rig. */
import { createPublicKey, createHash, type KeyObject } from 'node:crypto'
import { importTool } from '../tools.ts'
import type { Services } from './services.ts'

interface Libraries {
  readonly core: { X509Certificate: { parse(der: Buffer): unknown } }
  readonly bundle: { bundleFromJSON(json: unknown): unknown }
  readonly verify: {
    toSignedEntity(bundle: unknown): unknown
    Verifier: new (trust: object) => { verify(entity: unknown, policy: object): unknown }
  }
}

/** Throws what is wrong with the bundle. */
export type Verify = (json: unknown, identity: string) => void

export async function verifierFor(tools: string, { rekor, trusted }: Services): Promise<Verify> {
  const [core, bundle, verify] = (await Promise.all(
    ['core', 'bundle', 'verify'].map((name) => importTool(tools, `@sigstore/${name}`)),
  )) as [Libraries['core'], Libraries['bundle'], Libraries['verify']]
  const validFor = { start: new Date(0), end: new Date(8.64e15) }
  const log = (der: Buffer) => {
    const publicKey: KeyObject = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return { logID: createHash('sha256').update(der).digest(), baseURL: rekor, publicKey, validFor }
  }
  const certChain = [core.X509Certificate.parse(Buffer.from(trusted.root))]
  const verifier = new verify.Verifier({
    certificateAuthorities: [{ certChain, validFor }],
    timestampAuthorities: [],
    tlogs: [log(trusted.entries)],
    ctlogs: [log(trusted.certificates)],
    publicKey: () => {
      throw new Error('it is signed with a key, not by an identity')
    },
  })
  return (json, identity) => {
    verifier.verify(verify.toSignedEntity(bundle.bundleFromJSON(json)), {
      subjectAlternativeName: identity,
    })
  }
}
