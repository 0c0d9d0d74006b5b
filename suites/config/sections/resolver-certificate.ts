/** The certificate of the names that a run serves, from the PEM files that are named. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { complain, valueAt, type Reading } from '../file/source-map.ts'
import type { Certificate, WrittenResolver } from '../target.ts'

type Member = 'certFile' | 'keyFile'

const at = (member: Member) => ['receiver', 'resolver', member] as const

export function certificateIn(written: WrittenResolver, reading: Reading): Certificate | null {
  for (const [one, other] of [
    ['certFile', 'keyFile'],
    ['keyFile', 'certFile'],
  ] as const)
    if (written[one] !== undefined && written[other] === undefined)
      complain(at(one), `needs receiver.resolver.${other} beside it; add it`, reading)
  const cert = pemIn('certFile', written, reading)
  const key = pemIn('keyFile', written, reading)
  if (cert === null || key === null) return null
  if (belongs(cert, key)) return { cert, key }
  complain(
    at('keyFile'),
    'is not the private key of receiver.resolver.certFile; give PEM files of a certificate and of its key, not encrypted',
    reading,
  )
  return null
}

function belongs(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

function pemIn(member: Member, written: WrittenResolver, reading: Reading): string | null {
  const named = written[member]
  if (named === undefined) return null
  const file = resolve(reading.folder, valueAt(named, at(member), reading))
  try {
    return readFileSync(file, 'utf8')
  } catch {
    complain(at(member), `is ${file}, which cannot be read; give the path of a PEM file`, reading)
    return null
  }
}
