/** Certificates with their private keys, from the PEM files that a target file names. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readPlain } from '../../../bundle/folder/plain-file.ts'
import { resolve } from 'node:path'
import { complain, valueAt, type Reading } from '../file/source-map.ts'
import type { Certificate, Target, WrittenResolver, WrittenTls } from '../target.ts'

type Member = keyof WrittenTls
type Files = Readonly<Partial<Record<Member, string>>>

/** Where the files are named; what is wrong is noted in its `reading`. */
interface Place {
  path: readonly ['target', 'tls'] | readonly ['receiver', 'resolver']
  written: Files
  reading: Reading
}

export function tlsIn(written: WrittenTls, reading: Reading): Target['tls'] {
  const place: Place = { path: ['target', 'tls'], written, reading }
  const ca = pemOf('caFile', place, parseCertificate)?.pem ?? null
  const cert = pemOf('certFile', place, parseCertificate)
  const passphrase =
    written.keyFile === undefined || written.passphrase === undefined
      ? {}
      : { passphrase: valueAt(written.passphrase, [...place.path, 'passphrase'], reading) }
  const key = pemOf('keyFile', place, (pem) => createPrivateKey({ key: pem, ...passphrase }))
  mustBePair(place)
  if (!cert || !key || !isPair(cert.parsed, key.parsed, place)) return { ca }
  return { ca, client: { cert: cert.pem, key: key.pem, ...passphrase } }
}

export function certificateIn(written: WrittenResolver, reading: Reading): Certificate | null {
  const place: Place = { path: ['receiver', 'resolver'], written, reading }
  mustBePair(place)
  if (written.certFile === undefined || written.keyFile === undefined) return null
  const cert = pemOf('certFile', place, parseCertificate)
  const key = pemOf('keyFile', place, createPrivateKey)
  return cert && key && isPair(cert.parsed, key.parsed, place) ? { cert: cert.pem, key: key.pem } : null
}

const parseCertificate = (pem: string): X509Certificate => new X509Certificate(pem)

function mustBePair({ path, written, reading }: Place): void {
  for (const [one, other] of [
    ['certFile', 'keyFile'],
    ['keyFile', 'certFile'],
  ] as const)
    if (written[one] !== undefined && written[other] === undefined)
      complain([...path, one], `needs ${path.join('.')}.${other} beside it; add it`, reading)
}

function isPair(cert: X509Certificate, key: KeyObject, { path, reading }: Place): boolean {
  const belongs = cert.checkPrivateKey(key)
  const words = `is not the private key of ${path.join('.')}.certFile; give the one it was made with`
  if (!belongs) complain([...path, 'keyFile'], words, reading)
  return belongs
}

/** Null where none is named, or what is named cannot be used. */
function pemOf<T>(
  member: Member,
  { path, written, reading }: Place,
  parse: (pem: string) => T,
): { pem: string; parsed: T } | null {
  const named = written[member]
  if (named === undefined) return null
  const at = [...path, member]
  const file = resolve(reading.folder, valueAt(named, at, reading))
  let pem: string
  try {
    pem = readPlain(file).toString()
  } catch {
    complain(at, `is ${file}, which cannot be read; give the path of a PEM file`, reading)
    return null
  }
  try {
    return { pem, parsed: parse(pem) }
  } catch {
    const ofTls = path[1] === 'tls' ? ', and target.tls.passphrase where it is encrypted' : ', not encrypted'
    const [what, more] = member === 'keyFile' ? ['private key that can be read', ofTls] : ['certificate', '']
    complain(at, `is ${file}, which holds no ${what}; give the path of a PEM file${more}`, reading)
    return null
  }
}
