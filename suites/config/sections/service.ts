/** The service under test: its name, its address and how to connect to it. */
import { isDeepStrictEqual } from 'node:util'
import {
  contractIdentifiers,
  IdentifierError,
  identifiersOf,
  type Identifiers,
} from '../../../spec/identifiers.ts'
import { webUrlProblem } from '../../wire/base-url.ts'
import type { Header } from '../../wire/exchange.ts'
import { address, complain, complainOfValue, mapped, valueAt, type Reading } from '../file/reading.ts'
import type { YamlPath } from '../file/source-map.ts'
import type { Implementation, Target, TargetFile } from '../target.ts'
import { tlsIn } from './tls.ts'

type Service = Pick<
  Target,
  | 'name'
  | 'kind'
  | 'implementation'
  | 'vendor'
  | 'identifiers'
  | 'baseUrl'
  | 'replicas'
  | 'tls'
  | 'proxy'
  | 'headers'
>

export function serviceIn({ target }: TargetFile, reading: Reading): Service {
  const { name, kind, replicas = [], headers = {} } = target
  const place = (written: string, path: YamlPath): string =>
    address(valueAt(written, path, reading), path, reading)
  return {
    name,
    kind,
    ...vendorIn(target, reading),
    implementation: implementationIn(target.implementation ?? {}, reading),
    baseUrl: place(target.baseUrl, ['target', 'baseUrl']),
    replicas: replicas.map((replica, i) => place(replica, ['target', 'replicas', i])),
    tls: tlsIn(target.tls ?? {}, reading),
    proxy: target.proxy === undefined ? null : proxyAt(target.proxy, reading),
    headers: headersAt(headers, ['target', 'headers'], reading),
  }
}

/** The credentials that a proxy wants are in its address. */
function proxyAt(written: string, reading: Reading): string {
  const path = ['target', 'proxy'] as const
  return address(valueAt(written, path, reading), path, reading, webUrlProblem)
}

function vendorIn(
  { vendor, identifiers }: TargetFile['target'],
  reading: Reading,
): Pick<Target, 'vendor' | 'identifiers'> {
  try {
    return vendorStated(vendor, identifiers)
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    complain(['target', vendor === undefined ? 'identifiers' : 'vendor'], `: ${error.message}`, reading)
    return {}
  }
}

/** Not to be set: they say how a request is sent, not what it is. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** What a target has of a vendor's word and of single identifiers. Throws an IdentifierError for what cannot be one. */
export function vendorStated(
  vendor?: string,
  identifiers?: Partial<Identifiers>,
): Pick<Target, 'vendor' | 'identifiers'> {
  const own = identifiersOf(vendor, identifiers)
  return {
    ...(vendor === undefined ? {} : { vendor: vendor.toLowerCase() }),
    ...(isDeepStrictEqual(own, contractIdentifiers) ? {} : { identifiers: own }),
  }
}

export function headersAt(
  written: Readonly<Record<string, string>>,
  path: YamlPath,
  reading: Reading,
  valueOf: (written: string, name: string) => string = (one, name) => valueAt(one, [...path, name], reading),
): readonly Header[] {
  for (const name of Object.keys(written).filter((one) => !/^[\w!#$%&'*+.^`|~-]+$/.test(one)))
    complain([...path, name], 'cannot be the name of a header; write one such as X-Gate', reading)
  for (const name of Object.keys(written).filter((one) => ofConnection.has(one.toLowerCase())))
    complain([...path, name], 'is a header of the connection, which is set for each request', reading)
  return Object.entries(written).map(([name, one]) => {
    const value = valueOf(one, name)
    complainOfValue(value, [...path, name], reading)
    return [name, value]
  })
}

function implementationIn({ contact, ...texts }: Implementation, reading: Reading): Implementation {
  const known = mapped(texts, (text, name) => valueAt(text, ['target', 'implementation', name], reading))
  return contact === undefined ? known : { ...known, contact }
}
