/** Keys of signatures: the private one of a run, and the public one of whoever checks it. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readProblem } from '../../suites/config/file/unreadable.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret } from '../values.ts'
import { keyIdOf, signerOf, type Signer } from '../../reports/bundle/seal/envelope.ts'

export type { Signer }

/** Null without a reference. Throws a UsageError, with nothing of the key in it, for what is no key to sign with. */
export function signerFrom(reference: string | undefined, env: Io['env']): Signer | null {
  if (reference === undefined) return null
  const pem = secret('--sign-key', reference, env)
  const key = privateKeyIn(pem, `--sign-key ${reference}`)
  return signerOf(keyIdOf(createPublicKey(key)), key)
}

function privateKeyIn(pem: string, named: string): KeyObject {
  if (pem.includes('PUBLIC KEY-----'))
    throw new UsageError(`${named} is a public key: give the private one, which touchstone keygen wrote.`)
  if (/ENCRYPTED/.test(pem))
    throw new UsageError(
      `${named} is encrypted: decrypt it into a variable, such as SIGN_KEY="$(openssl pkey -in FILE)", and give env:SIGN_KEY.`,
    )
  return ed25519(() => createPrivateKey(pem), named)
}

/** `option`: what names the file. Throws a UsageError for a file that holds no public Ed25519 key. */
export function publicKeyAt(path: string, option = '--key '): KeyObject {
  const named = `${option}${path}`
  const pem = contentOf(path, named)
  if (pem.includes('PRIVATE KEY-----'))
    throw new UsageError(`${named} is a private key, which must stay with the signer: give its public key.`)
  return ed25519(() => createPublicKey(pem), named)
}

function contentOf(path: string, named: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${named}: ${readProblem(path, error)}`)
  }
}

function ed25519(read: () => KeyObject, named: string): KeyObject {
  const key = orNull(read)
  if (key === null)
    throw new UsageError(`${named} is no key in PEM: make a pair of keys with touchstone keygen.`)
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new UsageError(
    `${named} is a key of the kind ${key.asymmetricKeyType ?? 'unknown'}: it takes one of Ed25519, such as touchstone keygen makes.`,
  )
}

function orNull(read: () => KeyObject): KeyObject | null {
  try {
    return read()
  } catch {
    return null
  }
}
