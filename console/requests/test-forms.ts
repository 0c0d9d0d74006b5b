/** A request as a test: what the contract states about its response, never what an agent wrote; and the test for vitest. */
import type { Exchange } from '../state/exchanges.ts'
import type { ServiceRequest } from '../state/service.ts'
import type { Credentials } from '../state/tenant.ts'
import { needsSession, requestOf, type Values } from './resend.ts'
import {
  bodyTextOf,
  isMembers,
  membersOf,
  replyOf,
  summaryOf,
  type Members,
  type Outcome,
} from './summary.ts'

/** A text, a number or a boolean stands for itself. */
export type Wanted = { readonly kind: 'text' | 'number' | 'uuid' | 'list' | 'object' } | string | number

interface Expectations {
  readonly status: number
  /** Members of the body; of a stream, of its last event. */
  readonly members: readonly (readonly [path: readonly string[], wanted: Wanted])[]
  /** The code of an error, wherever it is in the body; empty for none. */
  readonly code: string
  /** Type of the last event; null where the response is no stream. */
  readonly lastEvent: 'done' | 'error' | null
  readonly isReplay: boolean
}

type Member = Expectations['members'][number]

const kind = (name: Exclude<Wanted, string | number>['kind']): Wanted => ({ kind: name })

const repliedMembers = (reply: Members): readonly Member[] => [
  [['response'], reply['response'] === '' ? '' : kind('text')],
  [['conversation_id'], kind('uuid')],
  [['credits_used'], kind('number')],
  [['credits_remaining'], kind('number')],
  ...(isMembers(reply['presentation']) ? [[['presentation', 'version'], 1] as const] : []),
  ...(isMembers(reply['customer_message']) ? [[['customer_message'], kind('object')] as const] : []),
]

const rateLimitMembers: readonly Member[] = ['retry_after_seconds', 'limit', 'remaining'].map((name) => [
  [name],
  kind('number'),
])

const chatMembers = (status: number, reply: Members): readonly Member[] =>
  status === 200
    ? repliedMembers(reply)
    : [[['error'], kind('text')], ...(status === 429 ? rateLimitMembers : [])]

function receiptMembers(receipt: Members): readonly Member[] {
  const { status, error } = receipt
  if (typeof status !== 'string') return []
  const code = isMembers(error) ? error['code'] : undefined
  return [
    [['status'], status],
    ...(typeof code === 'string'
      ? [[['error', 'code'], code] as const, [['error', 'resolution'], kind('text')] as const]
      : []),
  ]
}

/** Of successful responses of other routes, by method and path. */
const routes: readonly (readonly [route: RegExp, members: (body: Members) => readonly Member[]])[] = [
  [/^POST \/api\/v1\/operation-executions\//, receiptMembers],
  [/^GET \/api\/v1\/tasks\//, () => [[['state'], kind('text')]]],
  [/^GET \/api\/v1\/billing\/usage/, () => [[['credits', 'remaining'], kind('number')]]],
  [/^POST \/api\/agents\/[^/]+\/webhooks$/, () => ['id', 'secret_key'].map((name) => [[name], kind('text')])],
  [/^GET \/api\/agents\/[^/]+\/webhooks$/, () => [[['webhooks'], kind('list')]]],
]

function membersFor(one: Exchange): readonly Member[] {
  const status = one.status ?? 0
  if (one.operation === 'chat') return chatMembers(status, replyOf(one))
  const [, found] = routes.find(([route]) => route.test(`${one.method} ${one.path}`)) ?? []
  return status < 300 ? (found?.(membersOf(bodyTextOf(one))) ?? []) : []
}

function expectationsOf(one: Exchange): Expectations {
  const { events, code, outcome } = summaryOf(one)
  const isFailed = events.some(({ type }) => type === 'error')
  return {
    status: one.status ?? 0,
    members: isFailed ? [[['error'], kind('text')]] : membersFor(one),
    code,
    lastEvent: events.length === 0 ? null : isFailed ? 'error' : 'done',
    isReplay: outcome === 'replay',
  }
}

/** A response that comes again when the same request is sent again: none depends on what ran at the same time. */
const unrepeatable: ReadonlySet<Outcome | null> = new Set<Outcome>([
  'open',
  'in-flight',
  'uncertain',
  'broken',
])

export const isRepeatable = (one: Exchange): boolean =>
  one.status !== null && one.closedBy === 'server' && !unrepeatable.has(summaryOf(one).outcome)

/** Outcomes that a request of its own brings about in any state of the service. */
const plain: ReadonlySet<Outcome | null> = new Set<Outcome | null>(['run', 'replay', 'conflict', null])

/** A pressed button is current once only. */
const needsState = (one: Exchange): boolean =>
  !plain.has(summaryOf(one).outcome) || isMembers(membersOf(one.request.body)['interaction'])

interface Variables {
  readonly baseUrl: string
  /** Of the API key, or of the session. */
  readonly credential: string
}

export interface TestSource {
  readonly title: string
  readonly variables: Variables
  /** Value of the base URL where the variable is not set. */
  readonly baseUrl: string
  /** Sent in their order; the expectations are about the response to the last one. */
  readonly requests: readonly ServiceRequest[]
  readonly expectations: Expectations
  readonly hasKey: boolean
  readonly replayHeader: string
  /** Why the test may fail elsewhere; empty for no reason. */
  readonly note: string
}

/** They stand in the texts of a request; a test has the names of its variables in their places. */
export const marks: Values = { key: '__KEY__', apiKey: '__CREDENTIAL__', session: '__CREDENTIAL__' }

/** `before`: the request that used the key first, where the response depends on it. */
export function testSourceOf(one: Exchange, before: Exchange | undefined, known: Credentials): TestSource {
  const { baseUrlVariable, apiKeyVariable, replayHeader } = known.identifiers
  const status = one.status ?? 0
  return {
    title: `${one.method} ${one.path.split('?')[0]} answers ${status}`,
    variables: {
      baseUrl: baseUrlVariable,
      credential: needsSession(one) ? apiKeyVariable.replace(/API_KEY$/, 'SESSION') : apiKeyVariable,
    },
    baseUrl: location.origin,
    requests: [...(before ? [before] : []), one].map((sent) => requestOf(sent, marks)),
    expectations: expectationsOf(one),
    hasKey: one.idempotencyKey !== undefined,
    replayHeader,
    note: needsState(one)
      ? `Needs the key and the state of the service with which it answered ${status}.`
      : '',
  }
}

/** The parts of a text and, between them, the marks. */
export const partsOf = (text: string): readonly string[] =>
  text.split(/(__KEY__|__CREDENTIAL__)/).filter((part) => part !== '')

const names: Readonly<Record<string, string>> = { [marks.key]: '${key}', [marks.apiKey]: '${credential}' }

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')

function literal(text: string): string {
  const parts = partsOf(text)
  return parts.some((part) => names[part] !== undefined)
    ? `\`${parts.map((part) => names[part] ?? escaped(part)).join('')}\``
    : JSON.stringify(text)
}

const matchers = {
  text: 'expect.stringMatching(/\\S/)',
  number: 'expect.any(Number)',
  uuid: 'expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)',
  list: 'expect.any(Array)',
  object: 'expect.any(Object)',
} as const

const matcher = (wanted: Wanted): string =>
  typeof wanted === 'object' ? matchers[wanted.kind] : JSON.stringify(wanted)

const sending = ({ method, path, headers, body }: ServiceRequest): readonly string[] => [
  `fetch(\`\${baseUrl}${escaped(path)}\`, {`,
  `    method: ${JSON.stringify(method)},`,
  `    headers: {`,
  ...headers.map(([name = '', value = '']) => `      ${JSON.stringify(name)}: ${literal(value)},`),
  `    },`,
  ...(body === null ? [] : [`    body: ${literal(body)},`]),
  `  })`,
]

const streamLines = (last: string): readonly string[] => [
  `  const events = text.split('\\n').filter((line) => line.startsWith('data: '))`,
  `  const ends = events.map((line) => JSON.parse(line.slice(6))).filter(({ type }) => type === '${last}')`,
  `  expect(ends).toHaveLength(1)`,
  `  const [body] = ends`,
]

function bodyLines({ expectations: { members, code, lastEvent } }: TestSource): readonly string[] {
  const parse = lastEvent === null ? [`  const body = JSON.parse(text)`] : streamLines(lastEvent)
  const path = (names: readonly string[]): string => JSON.stringify(names)
  return [
    ...(members.length > 0 || code !== '' ? [`  const text = await response.text()`] : []),
    ...(code === '' ? [] : [`  expect(text).toContain(${JSON.stringify(code)})`]),
    ...(members.length === 0 ? [] : parse),
    ...members.map(([names, wanted]) => `  expect(body).toHaveProperty(${path(names)}, ${matcher(wanted)})`),
  ]
}

export function vitestOf(source: TestSource): string {
  const { title, variables, baseUrl, requests, expectations, hasKey, note } = source
  const earlier = requests.slice(0, -1).flatMap((one) => {
    const [first = '', ...rest] = sending(one)
    return [`  await ${first}`, ...rest]
  })
  const [first = '', ...rest] = requests.slice(-1).flatMap(sending)
  const lines = [
    `import { expect, test } from 'vitest'`,
    '',
    `const { ${variables.baseUrl}: baseUrl = ${JSON.stringify(baseUrl)}, ${variables.credential}: credential } = process.env`,
    `if (!credential) throw new Error('environment variable ${variables.credential} is not set')`,
    '',
    ...(note === '' ? [] : [`// ${note}`]),
    `test(${JSON.stringify(title)}, async () => {`,
    ...(hasKey ? [`  const key = crypto.randomUUID()`] : []),
    ...earlier,
    `  const response = await ${first}`,
    ...rest,
    `  expect(response.status).toBe(${expectations.status})`,
    ...(expectations.isReplay
      ? [`  expect(response.headers.get('${source.replayHeader}')).toBe('true')`]
      : []),
    ...bodyLines(source),
    `})`,
  ]
  return `${lines.join('\n')}\n`
}
