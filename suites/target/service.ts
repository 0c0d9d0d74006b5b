/** The service under test: what it is called, where it stands, how it is reached. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Header } from '../wire/exchange.ts'
import { address, complain, mapped, valueAt, type Reading } from './reading.ts'
import type { Path } from './source-map.ts'
import type { Implementation, Target } from './target.ts'
import type { TargetFile } from './written.ts'

type Service = Pick<Target, 'name' | 'kind' | 'implementation' | 'baseUrl' | 'replicas' | 'tls' | 'headers'>

export function serviceIn({ target }: TargetFile, reading: Reading): Service {
  const { name, kind, replicas = [], headers = {} } = target
  const place = (written: string, path: Path): string =>
    address(valueAt(written, path, reading), path, reading)
  return {
    name,
    kind,
    implementation: implementationIn(target.implementation ?? {}, reading),
    baseUrl: place(target.baseUrl, ['target', 'baseUrl']),
    replicas: replicas.map((replica, i) => place(replica, ['target', 'replicas', i])),
    tls: { ca: certificatesIn(target.tls?.caFile, reading) },
    headers: headersAt(headers, ['target', 'headers'], reading),
  }
}

export function headersAt(
  written: Readonly<Record<string, string>>,
  path: Path,
  reading: Reading,
): readonly Header[] {
  return Object.entries(written).map(([name, value]) => [name, valueAt(value, [...path, name], reading)])
}

function implementationIn({ contact, ...texts }: Implementation, reading: Reading): Implementation {
  const known = mapped(texts, (text, name) => valueAt(text, ['target', 'implementation', name], reading))
  return contact === undefined ? known : { ...known, contact }
}

/** The text of a PEM file that holds at least one certificate. */
function certificatesIn(written: string | undefined, reading: Reading): string | null {
  if (written === undefined) return null
  const path = ['target', 'tls', 'caFile'] as const
  const file = resolve(reading.folder, valueAt(written, path, reading))
  const pem = textOf(file)
  if (pem === null) complain(path, `is ${file}, which cannot be read; give the path of a PEM file`, reading)
  else if (!isCertificate(pem))
    complain(path, `is ${file}, which holds no certificate; give the path of a PEM file`, reading)
  return pem
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
