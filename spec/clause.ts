/**
 * A clause is one statement of the contract that an observer can judge. Its id is the key of the table it
 * stands in, is never re-used and never numbered by position.
 */
import type { StateId } from './states.ts'

export const levels = ['must', 'should'] as const
/** `must` or `should`, from the contract's own wording; what is only advisable is a `should`. */
export type Level = (typeof levels)[number]

export const actors = ['server', 'sender', 'receiver', 'library', 'command-line'] as const
/** Who keeps or breaks the clause. `sender` is the webhook sender, `receiver` the endpoint it posts to. */
export type Actor = (typeof actors)[number]

export const bases = ['stated', 'implied', 'standard', 'advised'] as const
/**
 * Where the clause gets its force. `stated`: one sentence says it. `implied`: two statements together say
 * it. `standard`: the contract names a standard (HTTP, JSON, Server-Sent Events) that says it. `advised`:
 * good practice only, always a `should`.
 */
export type Basis = (typeof bases)[number]

export const observabilities = ['wire', 'state', 'inside'] as const
/**
 * How it can be observed. `wire`: with ordinary credentials. `state`: only once a state was prepared.
 * `inside`: not from outside at all.
 */
export type Observability = (typeof observabilities)[number]

export interface Clause {
  level: Level
  actor: Actor
  basis: Basis
  observe: Observability
  /** Our own wording: what has to hold. */
  text: string
  /** Section and row of the contract. */
  source: string
  /** The state that has to be prepared before it can be observed. */
  state?: StateId
}

type Detail = Partial<Pick<Clause, 'actor' | 'basis' | 'observe' | 'state'>>

function clause(level: Level, text: string, source: string, detail: Detail): Clause {
  const observe = detail.state ? 'state' : 'wire'
  return { level, actor: 'server', basis: 'stated', observe, text, source, ...detail }
}

/** A statement that has to hold. Without detail: the server keeps it, it is stated, it shows on the wire. */
export function must(text: string, source: string, detail: Detail = {}): Clause {
  return clause('must', text, source, detail)
}

/** A statement that ought to hold: breaking it is a warning. */
export function should(text: string, source: string, detail: Detail = {}): Clause {
  return clause('should', text, source, detail)
}
