/** Requests of a tenant's own clients, as the examples of spec/openapi.yaml need them. */
import type { Tenant } from '../../simulator/index.ts'
import type { Interpretations } from '../../spec/index.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

interface Request {
  /** A bearer token; null: none. Default: the main API key. */
  readonly as?: string | null
  /** Of a signed-in user, in place of a key. */
  readonly session?: string
  readonly key?: string
  readonly body?: unknown
}

/** Members of the body, beside the message. */
interface Turn extends Record<string, unknown> {
  readonly as?: string
  readonly agent?: string
  /** Idempotency key; null: none. Default: a new one. */
  readonly key?: string | null
}

export interface Caller {
  readonly tenant: Tenant
  readonly send: (method: string, path: string, request?: Request) => Promise<Answer>
  readonly chat: (message: string, turn?: Turn) => Promise<Answer>
  readonly older: (message?: string, turn?: Turn) => Promise<Answer>
  readonly execute: (operation: string, input: object, request?: Request) => Promise<Answer>
  /** By the signed-in user; `path` below the webhooks of the plain agent. */
  readonly manage: (method: string, path?: string, body?: unknown) => Promise<Answer>
}

type Provoking = (caller: Caller) => Promise<Answer>

/** What brings a response about; with interpretations in place of the default, where it has the gap as `x-gap`. */
export type Provoked = Provoking | readonly [interpretations: Partial<Interpretations>, by: Provoking]

export type Provocations = Readonly<Record<string, Provoked>>

export function callerOf(tenant: Tenant): Caller {
  let keys = 0
  const freshKey = (): string => `order-${++keys}`
  const send: Caller['send'] = async (method, path, { as = tenant.keys.main, session, key, body } = {}) => {
    const bearer = as === null ? {} : { authorization: `Bearer ${as}` }
    const response = await fetch(`${tenant.url}${path}`, {
      method,
      headers: {
        ...(session === undefined ? bearer : { cookie: `session=${session}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    tenant,
    send,
    chat: (message, { as = tenant.keys.main, agent = tenant.agents.plain, key = freshKey(), ...more } = {}) =>
      send('POST', `/api/v1/chat/${agent}`, {
        as,
        ...(key === null ? {} : { key }),
        body: { message, ...more },
      }),
    older: (message, { as = tenant.olderKeys.plain, agent = tenant.agents.plain, ...more } = {}) =>
      send('POST', `/v1/agents/${agent}/chat`, { as, body: { message, ...more } }),
    execute: (operation, input, request = {}) =>
      send('POST', `/api/v1/operation-executions/${operation}`, {
        key: freshKey(),
        body: { input },
        ...request,
      }),
    manage: (method, path = '', body) =>
      send(method, `/api/agents/${tenant.agents.plain}/webhooks${path}`, {
        session: tenant.sessions.main,
        body,
      }),
  }
}

/** A text member of a JSON body; throws where it is none. */
export function textIn({ text }: Answer, member: string): string {
  const value = (JSON.parse(text) as Record<string, unknown>)[member]
  if (typeof value !== 'string') throw new Error(`There is no ${member} in ${text}`)
  return value
}
