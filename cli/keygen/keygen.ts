import { generateKeyPairSync } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { codeOf } from '../values.ts'
import { UsageError } from '../usage-error.ts'

/** Writes both halves of a new key, and overwrites none. Returns the key id. Throws a UsageError. */
export function keygen(out: string, shown: string): string {
  const there = [out, shown].find((file) => existsSync(file))
  if (there !== undefined) throw new UsageError(`--out ${out}: ${there} exists; give another path.`)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  try {
    writeFileSync(shown, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' })
    writeFileSync(out, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${codeOf(error)}); give another path.`)
  }
  return keyIdOf(publicKey)
}
