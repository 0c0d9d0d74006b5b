/** What the contract states about a response, for a copied test: members and their kinds, never what an agent wrote. */
import type { Exchange } from '../state/exchanges.ts'
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

export interface Expectations {
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

export function expectationsOf(one: Exchange): Expectations {
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
const presses = ({ request }: Exchange): boolean => isMembers(membersOf(request.body)['interaction'])

export const needsState = (one: Exchange): boolean => !plain.has(summaryOf(one).outcome) || presses(one)
