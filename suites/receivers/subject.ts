/** The receiver under test, as the courier needs it: secrets in the clear, nothing left to look up. */
import type { Identifiers } from '../../spec/identifiers.ts'
import { emptyPolicy, type Policy } from '../policy/policy.ts'
import type { Budgets } from '../config/target.ts'
import type { Header, Exchange } from '../wire/exchange.ts'
import { headerSecrets, isSecret, secretName } from '../wire/credentials.ts'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import type { Judgement } from '../scenario/scenario.ts'
import { all } from '../scenario/expect.ts'
import { createHmac } from 'node:crypto'

export interface Subject {
  /** http or https, where deliveries are posted to. */
  url: string
  /** That of the webhook. Never written to disk. */
  secret: string
  /** Sent with every request beside those of a delivery; their values are never written to disk. */
  headers: readonly Header[]
  /** Requests carry no `traceparent`. */
  trace?: false
  /** The word of the service that it takes deliveries of, and its identifiers; absent: as the contract writes them. */
  vendor?: string
  identifiers?: Identifiers
  /** Events that the receiver takes; the first is the ordinary one. */
  events: readonly string[]
  /** The agent that deliveries speak of. */
  agent: string
  /** A GET of it, with `{id}` filled in, answers how often that delivery was processed. Null: not known. */
  effects: string | null
  effectsWaitMs: number
  answerTimeoutMs: number
  /** How long to wait for a restart once nothing answers. */
  restartMs: number
  /** How its process ended, a line each time; absent if it is not started here. The first answer may take `restartMs`. */
  ends?: () => readonly string[]
  /** Absent: as fast as it answers. */
  requestsPerMinute?: number | undefined
  budgets: Budgets
  policy: Policy
}

const budgets: Budgets = {
  requests: 2_000,
  turns: 0,
  credits: 0,
  wallSeconds: 900,
  requestsPerMinute: 1,
}

/** The receiver at an address, with what is ordinary for anything not given. */
export function receiverAt(url: string, secret: string, more: Partial<Subject> = {}): Subject {
  return {
    url,
    secret,
    headers: [],
    events: ['leads.submit'],
    agent: 'agent_touchstone',
    effects: null,
    effectsWaitMs: 5_000,
    // A sender waits about ten seconds; a little more shows by how much an answer is late.
    answerTimeoutMs: 15_000,
    restartMs: 3_000,
    budgets,
    policy: emptyPolicy,
    ...more,
  }
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

export function subjectSecrets({ url, secret, headers, effects }: Subject): readonly Secret[] {
  const queries = [url, ...(effects === null ? [] : [effects])].flatMap((address) => [
    ...new URL(address).searchParams,
  ])
  const all = [
    { name: 'webhook-secret', value: secret },
    ...headers.flatMap((header) => headerSecrets(header)),
    ...queries
      .filter(([, value]) => !value.includes('{id}'))
      .map(([name, value]) => ({ name: `query:${secretName(name)}`, value })),
  ]
  return all.filter(isSecret)
}

/** The worst of what is said of them; an empty list is inconclusive. */
export function each(exchanges: readonly Exchange[], judge: (exchange: Exchange) => Judgement): Judgement {
  const said = exchanges.map((exchange) => ({ exchange, judgement: judge(exchange) }))
  const worst = all(...said.map(({ judgement }) => judgement))
  if (worst.is !== 'fail' && worst.is !== 'warn') return worst
  const alike = said.filter(({ judgement }) => judgement.is === worst.is).map(({ exchange }) => exchange.name)
  if (alike.length < 2) return worst
  const rest = [...new Set(alike)].slice(1).join(', ')
  return {
    ...worst,
    got: `${worst.got}; and ${alike.length - 1} more of ${said.length} like it${rest && `: ${rest}`}`,
  }
}

export const exchangesIn = <N extends string>(
  scenario: Readonly<Record<N, Exchange>>,
  names: readonly N[],
): readonly Exchange[] => names.map((name) => scenario[name])

/** The key is the secret as UTF-8. */
export const signatureOf = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
