/** Keys of signatures: the private one of a run, and the public one that checks it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import type { CommandAnswer } from '../command.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { systemReason, secret, fileText } from '../values.ts'
import { keyIdOf, signerOf, type Signer } from '../../bundle/seal/envelope.ts'

export type { Signer }

/** Null without a reference. Throws a UsageError, with nothing of the key in it, for what is no key to sign with. */
export function signerFrom(reference: string | undefined, env: Io['env']): Signer | null {
  if (reference === undefined) return null
  const pem = secret('--sign-key', reference, env)
  const named = `--sign-key ${reference}`
  if (pem.includes('PUBLIC KEY-----'))
    throw new UsageError(`${named} is a public key: give the private one, which touchstone keygen wrote.`)
  if (/ENCRYPTED/.test(pem))
    throw new UsageError(
      `${named} is encrypted: decrypt it into a variable, such as SIGN_KEY="$(openssl pkey -in FILE)", and give env:SIGN_KEY.`,
    )
  const key = ed25519(() => createPrivateKey(pem), named)
  return signerOf(keyIdOf(createPublicKey(key)), key)
}

/** `option`: what names the file. Throws a UsageError for a file that holds no public Ed25519 key. */
export function publicKeyAt(path: string, option = '--key '): KeyObject {
  const named = `${option}${path}`
  const pem = fileText(path, named)
  if (pem.includes('PRIVATE KEY-----'))
    throw new UsageError(`${named} is a private key, which must stay with the signer: give its public key.`)
  return ed25519(() => createPublicKey(pem), named)
}

function ed25519(read: () => KeyObject, named: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch {
    throw new UsageError(`${named} is no key in PEM: make a pair of keys with touchstone keygen.`)
  }
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new UsageError(
    `${named} is a key of the kind ${key.asymmetricKeyType ?? 'unknown'}: it takes one of Ed25519, such as touchstone keygen makes.`,
  )
}

/** Writes both halves of a new key, and overwrites none. Throws a UsageError. */
export function keygen(out: string): CommandAnswer {
  const shown = `${out.replace(/\.pem$/, '')}.pub.pem`
  const there = [out, shown].find((file) => existsSync(file))
  if (there !== undefined) throw new UsageError(`--out ${out}: ${there} exists; give another path.`)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  try {
    writeFileSync(shown, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' })
    writeFileSync(out, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${systemReason(error)}); give another path.`)
  }
  return { text: `key id   ${keyIdOf(publicKey)}\nprivate  ${out}\npublic   ${shown}\n` }
}
