/** Certificates of the connections to the target, from the PEM files that are named. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { complain, valueAt, type Reading } from '../file/source-map.ts'
import type { Target, WrittenTls } from '../target.ts'

type Member = keyof WrittenTls

export function tlsIn(written: WrittenTls, reading: Reading): Target['tls'] {
  const ca = certificateIn('caFile', written, reading)
  const cert = certificateIn('certFile', written, reading)
  const key = keyIn(written, reading)
  for (const [one, other] of [
    ['certFile', 'keyFile'],
    ['keyFile', 'certFile'],
  ] as const)
    if (written[one] !== undefined && written[other] === undefined)
      complain(at(one), `needs target.tls.${other} beside it; add it`, reading)
  if (cert === null || key === null) return { ca }
  if (!new X509Certificate(cert).checkPrivateKey(key.object))
    complain(
      at('keyFile'),
      'is not the private key of target.tls.certFile; give the one it was made with',
      reading,
    )
  const { pem, passphrase } = key
  return { ca, client: { cert, key: pem, ...(passphrase === undefined ? {} : { passphrase }) } }
}

const at = (member: Member) => ['target', 'tls', member] as const

function fileIn(member: Member, written: WrittenTls, reading: Reading): { file: string; pem: string } | null {
  const named = written[member]
  if (named === undefined) return null
  const file = resolve(reading.folder, valueAt(named, at(member), reading))
  try {
    return { file, pem: readFileSync(file, 'utf8') }
  } catch {
    complain(at(member), `is ${file}, which cannot be read; give the path of a PEM file`, reading)
    return null
  }
}

function certificateIn(member: 'caFile' | 'certFile', written: WrittenTls, reading: Reading): string | null {
  const found = fileIn(member, written, reading)
  if (!found) return null
  if (parsed(() => new X509Certificate(found.pem))) return found.pem
  complain(at(member), `is ${found.file}, which holds no certificate; give the path of a PEM file`, reading)
  return null
}

interface Key {
  pem: string
  passphrase?: string
  object: KeyObject
}

function keyIn(written: WrittenTls, reading: Reading): Key | null {
  const found = fileIn('keyFile', written, reading)
  if (!found) return null
  const secret =
    written.passphrase === undefined
      ? {}
      : { passphrase: valueAt(written.passphrase, at('passphrase'), reading) }
  const object = parsed(() => createPrivateKey({ key: found.pem, ...secret }))
  if (object) return { pem: found.pem, ...secret, object }
  const advice = 'give the path of a PEM file, and target.tls.passphrase where it is encrypted'
  complain(at('keyFile'), `is ${found.file}, which holds no private key that can be read; ${advice}`, reading)
  return null
}

function parsed<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
