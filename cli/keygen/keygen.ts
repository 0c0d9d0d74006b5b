/** Makes a pair of keys and writes both halves. The private one is never shown. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface KeygenOptions {
  out: string
}

/** Gives the exit code. Throws a UsageError when a file is there already or cannot be written. */
export function keygen({ out }: KeygenOptions, io: Io): number {
  const shown = `${out.replace(/\.pem$/, '')}.pub.pem`
  for (const path of [out, shown]) {
    if (existsSync(path))
      throw new UsageError(`--out ${out}: ${path} exists, and keys are never overwritten; give another path.`)
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeNew(out, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600)
  try {
    writeNew(shown, publicKey.export({ type: 'spki', format: 'pem' }), 0o644)
  } catch (error) {
    rmSync(out, { force: true })
    throw error
  }
  io.out(`key id   ${keyIdOf(publicKey)}\nprivate  ${out}\npublic   ${shown}\n`)
  io.err(
    `Sign with  touchstone check … --sign-key file:${out}\n` +
      `Check with touchstone verify FOLDER --key ${shown}\n` +
      'Keep the private key secret. Give the public key to those who verify, and its id over another channel.\n',
  )
  return exitCodes.ok
}

/** Throws if the file was created in the meantime, so that no key is overwritten. */
function writeNew(path: string, pem: string | Buffer, mode: number): void {
  try {
    writeFileSync(path, pem, { mode, flag: 'wx' })
  } catch (error) {
    throw new UsageError(`--out: ${path} cannot be written (${codeOf(error)}); give another path.`)
  }
}
