/**
 * A counterexample as a file: what was sent, with a reference wherever a value was made for one run only, and what
 * was expected of the answers. Plain data; `schema.json` beside this file is its published form.
 */
import type { Expectation } from '../../reports/bundle/expectation.ts'
import type { NamedClauseSet } from '../../spec/clause-set.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { Json } from '../wire/json.ts'

export const schemaVersion = 1

/** A piece of a text that is made anew whenever it is sent. */
export type Reference =
  /** So many hexadecimal digits that were never sent before; the same label stands for the same digits. */
  | { fresh: string; digits: number }
  /** A new uuid; the same label stands for the same one. */
  | { uuid: string }
  /** An agent of the target: `plain`, `second`, or the one that a key is restricted to, as `of <role>`. */
  | { agent: string }
  /** The API key of a role. */
  | { key: string }
  /** The value of a header that signs a user in, by the name of the header. */
  | { session: string }
  /** A credential that nobody owns. */
  | { unknownKey: string }
  /** The text at a JSON pointer in the final fields of an earlier answer: its JSON body, or its `done` event. */
  | { from: string; at: string }

/** A value of an earlier answer. */
export type From = Extract<Reference, { from: string }>

export type StepText = string | readonly (string | Reference)[]

export type StepBody =
  /** JSON, written without spaces. `{"$text": Text}` stands for a text with references, `{"$copy": {from, at}}` for a copied value. */
  { json: Json } | { text: StepText } | { base64: string }

export interface ReplayStep {
  /** Unique in the file. */
  id: string
  /** What the scenario calls the exchange; of a list several have the same name. */
  name: string
  /** Whose key it is sent with; null: no key that anybody owns. */
  as: string | null
  method: string
  /** Below the base address. */
  path: StepText
  headers: readonly (readonly [name: string, value: StepText])[]
  /** Absent: none. */
  body?: StepBody
  /** Milliseconds to wait before it, after what came before has been answered. */
  waitMs?: number
  /** Milliseconds after the first of those that are sent at once. */
  afterMs?: number
  /** The client goes away: after so many milliseconds, or so many bytes of the body. */
  leaves?: { afterMs: number } | { afterBytes: number }
  /** The body goes out in two writes, so many bytes first. */
  splitAt?: number
  /** What came back in the run; null where nothing did. */
  was: number | null
}

/** Sent past one barrier: they are under way together. */
export interface AtOnce {
  atOnce: readonly ReplayStep[]
}

/** An expectation of the response to a step. The failure is reproduced if one is not met. */
export type StepExpectation = { step: string } & Expectation<string>

export interface Counterexample {
  schemaVersion: typeof schemaVersion
  tool: { name: string; version: string }
  contract: NamedClauseSet
  check: string
  clause: { id: string; level: string; text: string; source: string }
  title: string
  /** Of the service that it was found at; absent: as the contract writes them. */
  identifiers?: Identifiers
  verdict: 'fail' | 'warn'
  expected: string
  got: string
  detail?: string
  /** Where it was found. `reproduced`: the smallest course of a drawn scenario failed so often when it was run again. */
  found: {
    run: string
    at: string
    seed: number
    target: string
    reproduced: { times: number; of: number } | null
  }
  /** `steps`: a replay sends the steps below. `scenario`: the suite runs the whole scenario again, for the reason in `because`. */
  replay: 'steps' | 'scenario'
  because?: string
  needs: {
    /** What the key of each role has to be good for, in words. */
    principals: Readonly<Record<string, string>>
    agents: readonly string[]
    states: readonly { state: string; by: string }[]
    session: boolean
    receiver: boolean
    optIn: readonly string[]
  }
  steps: readonly (ReplayStep | AtOnce)[]
  /** What the scenario left for its judges that is as true of a replay. */
  notes: Readonly<Record<string, string | number | boolean>>
  expect: readonly StepExpectation[]
}

export function flatSteps({ steps }: Pick<Counterexample, 'steps'>): readonly ReplayStep[] {
  return steps.flatMap((step) => ('atOnce' in step ? step.atOnce : [step]))
}

/** Every reference of a step, in the order in which they are sent. What merely looks like one in a body is none. */
export function referencesIn({ path, headers, body }: ReplayStep): readonly Reference[] {
  const texts = [path, ...headers.map(([, value]) => value), ...(body && 'text' in body ? [body.text] : [])]
  return [...texts.flatMap(referencesOf), ...(body && 'json' in body ? inJson(body.json) : [])]
}

function referencesOf(text: StepText): readonly Reference[] {
  return typeof text === 'string' ? [] : text.filter((piece) => typeof piece !== 'string')
}

function inJson(value: Json): readonly Reference[] {
  const found = referring(value)
  if (found === null)
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inJson) : []
  return '$copy' in found ? [found.$copy] : referencesOf(found.$text)
}

/** What an object of a body stands for, where it is not simply itself. */
export function referring(value: Json): { $text: StepText } | { $copy: From } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = value as Readonly<Record<string, unknown>>
  if (members['$text'] !== undefined) return { $text: members['$text'] as StepText }
  return members['$copy'] === undefined ? null : { $copy: members['$copy'] as From }
}
