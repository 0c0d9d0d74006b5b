/** What the tests of both languages are made of. */
import type { Exchange } from '../state/exchanges.ts'
import type { ServiceRequest } from '../state/service.ts'
import type { Credentials } from '../state/tenant.ts'
import { expectationsOf, needsState, type Expectations } from './expectations.ts'
import { needsSession, requestOf, type Values } from './resend.ts'

export interface Variables {
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
