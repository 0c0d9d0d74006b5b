/**
 * A counterexample as a file: what was sent, with a reference wherever a value was made for one run only, and what
 * was expected of the answers. Plain data; `schema.json` beside this file is its published form.
 */
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

/** A text, or its pieces in order. */
export type Text = string | readonly (string | Reference)[]

export type Body =
  /** JSON, written without spaces. `{"$text": Text}` stands for a text with references, `{"$copy": {from, at}}` for a copied value. */
  { json: Json } | { text: Text } | { base64: string }

export interface Step {
  /** Unique in the file. */
  id: string
  /** What the scenario calls the exchange; of a list several have the same name. */
  name: string
  /** Whose key it is sent with; null: no key that anybody owns. */
  as: string | null
  method: string
  /** Below the base address. */
  path: Text
  headers: readonly (readonly [name: string, value: Text])[]
  /** Absent: none. */
  body?: Body
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
  atOnce: readonly Step[]
}

/** What the contract asks of an answer, where a script can look for it: what does not hold is the failure. */
export type Sign = { step: string } & (
  | { status: readonly [least: number, most: number] }
  /** Null: there is no such header. `part`: somewhere in the value. */
  | { header: string; is: string | null; part?: true }
  /** A final field is of this kind. */
  | { field: string; kind: 'string' | 'filled string' | 'number' | 'object' | 'absent' }
  /** A final field is the same as in the answer to another step, or is not. */
  | { field: string; sameAs: string }
  | { field: string; unlike: string }
  | { field: string; equals: number | boolean }
  /** Some text of the JSON answer has this word. */
  | { says: string }
  /** A stream has so many events of this type. */
  | { event: string; times: number }
  /** No new turn ran for it: no 200, or one with the replay header. */
  | { turn: 'none' }
  /** Of all these and the step itself at most one ran a new turn. */
  | { oneRunWith: readonly string[] }
)

export interface Counterexample {
  schemaVersion: typeof schemaVersion
  tool: { name: string; version: string }
  contract: { revision: string; digest: string }
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
  /** `steps`: a replay sends the steps below. `scenario`: the suite tells the whole scenario again, for the reason in `because`. */
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
  steps: readonly (Step | AtOnce)[]
  /** What the scenario left for its judges that is as true of a replay. */
  notes: Readonly<Record<string, string | number | boolean>>
  signs: readonly Sign[]
}

export function flatSteps({ steps }: Pick<Counterexample, 'steps'>): readonly Step[] {
  return steps.flatMap((step) => ('atOnce' in step ? step.atOnce : [step]))
}

/** Every reference of a step, in the order in which they are sent. What merely looks like one in a body is none. */
export function referencesIn({ path, headers, body }: Step): readonly Reference[] {
  const texts = [path, ...headers.map(([, value]) => value), ...(body && 'text' in body ? [body.text] : [])]
  return [...texts.flatMap(referencesOf), ...(body && 'json' in body ? inJson(body.json) : [])]
}

function referencesOf(text: Text): readonly Reference[] {
  return typeof text === 'string' ? [] : text.filter((piece) => typeof piece !== 'string')
}

function inJson(value: Json): readonly Reference[] {
  const found = referring(value)
  if (found === null)
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inJson) : []
  return '$copy' in found ? [found.$copy] : referencesOf(found.$text)
}

/** What an object of a body stands for, where it is not simply itself. */
export function referring(value: Json): { $text: Text } | { $copy: From } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = value as Readonly<Record<string, unknown>>
  if (members['$text'] !== undefined) return { $text: members['$text'] as Text }
  return members['$copy'] === undefined ? null : { $copy: members['$copy'] as From }
}
