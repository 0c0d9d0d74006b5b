import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../usage-error.ts'
import { signerFrom } from './signer.ts'

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const pair = generateKeyPairSync('ed25519')
const good = pair.privateKey.export(pkcs8).toString()

const unfit = {
  'a public key': [pair.publicKey.export({ type: 'spki', format: 'pem' }), 'is a public key'],
  'an encrypted key': [
    pair.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'open sesame' }),
    'is encrypted: decrypt it',
  ],
  'a key of another kind': [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8),
    'is a key of the kind ec',
  ],
  'no key at all': ['whsec_0001', 'is no key in PEM'],
  'a key that was cut off': [good.slice(0, 60), 'is no key in PEM'],
} as const

describe('--sign-key refuses', () => {
  it.each(Object.entries(unfit))('%s, and shows nothing of it', (_, [pem, words]) => {
    const signer = (): unknown => signerFrom('env:KEY', { KEY: pem.toString() })

    expect(signer).toThrow(UsageError)
    expect(signer).toThrow(words)
    for (const line of pem.toString().trim().split('\n')) expect(signer).not.toThrow(line)
  })

  it('a key on the command line', () => {
    expect(() => signerFrom(good, {})).toThrow('--sign-key does not accept a secret itself')
  })
})

it('the id of a key is that of its public half, wherever the key was read from', () => {
  const { keyid } = signerFrom('env:KEY', { KEY: good }) ?? {}

  expect(keyid).toMatch(/^[0-9a-f]{64}$/)
  expect(signerFrom('env:OTHER', { OTHER: `\n${good}\n` })?.keyid).toBe(keyid)
  expect(signerFrom(undefined, {})).toBeNull()
})
