import { createPrivateKey, createPublicKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { asEnvelope, envelopeOf, isSignedBy, preAuthEncoding, signerOf } from './envelope.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

it.each([
  ['http://example.com/HelloWorld', 'hello world', 'DSSEv1 29 http://example.com/HelloWorld 11 hello world'],
  ['', '', 'DSSEv1 0  0 '],
  ['ä', 'ö', 'DSSEv1 2 ä 2 ö'],
])('what is signed of %j and %j counts bytes', (type, payload, encoded) => {
  expect(text(preAuthEncoding(type, Buffer.from(payload)))).toBe(encoded)
})

/** The first key of the tests of RFC 8032, section 7.1, behind the header of PKCS#8. */
const der = `302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60`
const key = createPrivateKey({ key: Buffer.from(der, 'hex'), format: 'der', type: 'pkcs8' })
const payload = Buffer.from('{"a":1}')
const envelope = envelopeOf('application/json', payload, signerOf('one', key))

it('a signature is over the type too, and hints decide nothing', () => {
  const other = createPublicKey(
    createPrivateKey({ key: Buffer.from(der.replace('9d61', '9d62'), 'hex'), format: 'der', type: 'pkcs8' }),
  )
  const sig = envelope.signatures[0]?.sig ?? ''

  expect(isSignedBy(envelope, createPublicKey(key))).toBe(true)
  expect(
    isSignedBy({ ...envelope, signatures: [{ sig: 'AAAA' }, { keyid: 'two', sig }] }, createPublicKey(key)),
  ).toBe(true)
  expect(isSignedBy(envelope, other)).toBe(false)
  expect(isSignedBy({ ...envelope, payloadType: 'application/xml' }, createPublicKey(key))).toBe(false)
  expect(
    isSignedBy({ ...envelope, payload: Buffer.from('{"a":2}').toString('base64') }, createPublicKey(key)),
  ).toBe(false)
})

it.each([
  null,
  [],
  'text',
  {},
  { ...envelope, signatures: [] },
  { ...envelope, signatures: [null] },
  { ...envelope, payload: 1 },
  { ...envelope, payload: `${envelope.payload}\n` },
  { ...envelope, payload: `!${envelope.payload}` },
  { ...envelope, signatures: [{ sig: '+_AA' }] },
])('%j is no envelope', (value) => {
  expect(asEnvelope(value)).toBeNull()
  expect(asEnvelope({ ...envelope })).toEqual(envelope)
})
