/** The service under test: its name, its address and how to connect to it. */
import { isDeepStrictEqual } from 'node:util'
import {
  contractIdentifiers,
  IdentifierError,
  identifiersOf,
  type Identifiers,
} from '../../../spec/identifiers.ts'
import { webUrlProblem } from '../../wire/route.ts'
import { type Header, at, type Json } from '../../wire/exchange.ts'
import {
  address,
  complain,
  complainOfValue,
  mapped,
  valueAt,
  type Reading,
  type YamlPath,
  named,
  headerValueAt,
} from '../file/source-map.ts'
import type { Target, TargetFile, Fixtures, OperationFixture, Legacy } from '../target.ts'
import { tlsIn } from './certificates.ts'
import { fillTemplate } from '../template.ts'
import { suggestion } from '../../../spec/nearest.ts'

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
  | 'http'
  | 'headers'
>

export function serviceIn({ target }: TargetFile, reading: Reading): Service {
  const { name, kind, replicas = [], headers = {}, http, trace, requestIdHeader } = target
  const place = (written: string, path: YamlPath): string =>
    address(valueAt(written, path, reading), path, reading)
  const baseUrl = place(target.baseUrl, ['target', 'baseUrl'])
  const further = replicas.map((written, i) => place(written, ['target', 'replicas', i]))
  if (http === 2 && [baseUrl, ...further].some((one) => one.startsWith('http:')))
    complain(
      ['target', 'http'],
      'is 2, and HTTP/2 is spoken over TLS only; give a baseUrl and replicas with https, or leave it out',
      reading,
    )
  const { contact, ...texts } = target.implementation ?? {}
  const known = mapped(texts, (text, name) => valueAt(text, ['target', 'implementation', name], reading))
  return {
    name,
    kind,
    ...vendorInFile(target, reading),
    implementation: contact === undefined ? known : { ...known, contact },
    baseUrl,
    replicas: further,
    tls: tlsIn(target.tls ?? {}, reading),
    proxy: target.proxy === undefined ? null : proxyAt(target.proxy, reading),
    headers: headersAt(headers, ['target', 'headers'], reading),
    ...(http !== undefined && { http }),
    ...(trace === false && { trace }),
    ...(requestIdHeader !== undefined && { requestIdHeader }),
  }
}

/** The credentials that a proxy wants are in its address. */
function proxyAt(written: string, reading: Reading): string {
  const path = ['target', 'proxy'] as const
  return address(valueAt(written, path, reading), path, reading, webUrlProblem)
}

export function vendorInFile(
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

/** A plea that most agents understand. `{text}` is replaced by the text. */
export const plainEcho = 'Please repeat this: {text}'

const plainRemember = 'Please remember this word: {text}'
const plainAsk = 'Which word did I ask you to remember?'

export function fixturesIn(
  { fixtures = {} }: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Fixtures {
  const { messages = {}, echo, recall, operations = {} } = fixtures
  const agentOf = (name: string | undefined, fixture: string): string =>
    named(name ?? 'plain', ids, ['fixtures', fixture, 'agent'], reading)
  return {
    messages,
    echo: echo ? { agent: agentOf(echo.agent, 'echo'), message: echo.message ?? plainEcho } : null,
    recall: recall
      ? {
          agent: agentOf(recall.agent, 'recall'),
          tell: recall.tell ?? plainRemember,
          ask: recall.ask ?? plainAsk,
        }
      : null,
    operations: Object.values(
      mapped(operations, (written, name) => ({
        ...written,
        name,
        input: fillTemplate(written.input, { agentId: ids['plain'] ?? '' }),
        id: valueAt(written.id, ['fixtures', 'operations', name, 'id'], reading),
      })),
    ),
  }
}

export function doneWithinPlaces(
  { fixtures: { operations = {} } = {} }: TargetFile,
  { sourced }: Reading,
): Readonly<Record<string, string>> {
  const declared = Object.keys(operations).filter((name) => operations[name]?.doneWithinSeconds !== undefined)
  const place = (name: string): string => sourced.at(['fixtures', 'operations', name, 'doneWithinSeconds'])
  return Object.fromEntries(declared.map((name) => [name, place(name)]))
}

export function operations({ fixtures, dialect }: Target, _: unknown, reading: Reading): void {
  const named = Object.fromEntries(fixtures.operations.map((operation) => [operation.name, operation]))
  for (const operation of fixtures.operations) {
    const path = ['fixtures', 'operations', operation.name] as const
    freshIn(operation, [...path, 'fresh'], reading)
    isRead(operation.effect?.operation, named, [...path, 'effect', 'operation'], reading)
    if (operation.doneWithinSeconds !== undefined && operation.receipt !== 'accepted')
      complain(
        [...path, 'doneWithinSeconds'],
        `belongs to an operation whose receipt is accepted, and this one is ${operation.receipt}; take it out`,
        reading,
      )
    if (operation.effect && !operation.write)
      complain([...path, 'effect'], 'belongs to a write; add `write: true`, or take it out', reading)
  }
  for (const [listing, name] of Object.entries(dialect.routes ?? {}))
    isRead(name, named, ['dialect', 'routes', listing], reading)
  for (const [kind, upload] of Object.entries(dialect.uploads ?? {}))
    isRead(upload.effect?.operation, named, ['dialect', 'uploads', kind, 'effect', 'operation'], reading)
}

/** What is looked at to see what another did must not change anything itself. */
function isRead(
  name: string | undefined,
  named: Readonly<Record<string, OperationFixture>>,
  path: YamlPath,
  reading: Reading,
): void {
  if (name === undefined || name.startsWith('/')) return
  const operation = Object.hasOwn(named, name) ? named[name] : undefined
  if (!operation)
    complain(
      path,
      `is "${name}", which is not under fixtures.operations; ${suggestion(name, Object.keys(named))}`,
      reading,
    )
  else if (operation.write || operation.receipt !== 'completed')
    complain(path, `is "${name}", which is no read that completes; name one that is`, reading)
}

function freshIn({ input, fresh = [] }: OperationFixture, path: YamlPath, reading: Reading): void {
  fresh.forEach((pointer, i) => {
    if (at(input as Json, pointer) === undefined)
      complain([...path, i], `is ${pointer}, where the input has nothing; point at what is there`, reading)
  })
}

export function legacyIn(
  { legacy, features }: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Legacy | null {
  if (!legacy) {
    if (features?.legacy === 'supported')
      complain(
        ['features', 'legacy'],
        'is supported, but there is no key to ask with; add legacy.keys.plain, or take it out',
        reading,
      )
    return null
  }
  if (features?.legacy !== 'supported')
    complain(
      ['legacy'],
      'has keys, but features.legacy is not supported, so that nothing would be asked with them; declare it, or take the keys out',
      reading,
    )
  const keys = Object.entries(legacy.keys).map(([agent, written]) => {
    const path = ['legacy', 'keys', agent]
    return {
      name: agent,
      agent: named(agent, ids, path, reading),
      bearer: headerValueAt(written, path, reading),
    }
  })
  return { keys }
}
