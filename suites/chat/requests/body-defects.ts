/** Single defects of a chat body: each changes one thing of a body that was accepted. */
import * as fc from 'fast-check'
import { limits, type ClauseId } from '../../../spec/index.ts'
import { every } from '../../scenario/expect.ts'
import type { ChatRequest, Judge, Judgement } from '../../scenario/scenario.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'

/** A valid body; its idempotency key is in a header, so that any body can have one. */
export type Base = { message: string; conversation_id: string } & Readonly<Record<string, Json>>

export interface BodyDefect {
  breaks: ClauseId
  /** Bodies, as text, with this defect and no other. */
  spoil: (base: Base) => fc.Arbitrary<string>
}

const over = limits.messageMaxCharacters + 1
const notText = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
  fc.array(fc.constant('hello'), { maxLength: 2 }),
  fc.constantFrom<Json[]>({}, { text: 'hello' }, 0.5),
)
const notObject = fc.oneof(
  fc.constantFrom<Json[]>('workflow_button', '{}', 1, true),
  fc.array(fc.constant({}), { maxLength: 2 }),
)

function member(name: string, values: fc.Arbitrary<Json>): BodyDefect['spoil'] {
  return (base) => values.map((value) => JSON.stringify({ ...base, [name]: value }))
}

/** A uuid with a digit missing or replaced, which no parser accepts. */
function almostUuid(uuid: string): fc.Arbitrary<string> {
  // A service may have ids of another form, and of any length.
  const digits = Array.from(uuid.slice(0, 36)).flatMap((character, at) => (character === '-' ? [] : [at]))
  return fc
    .tuple(fc.constantFrom(...(digits.length > 0 ? digits : [0])), fc.constantFrom('g', 'z', ''))
    .map(([at, other]) => uuid.slice(0, at) + other + uuid.slice(at + 1))
}

/** JSON that is truncated, continues after its end, or never was JSON. */
function malformed(json: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer({ min: 1, max: json.length - 1 }).map((length) => json.slice(0, length)),
    fc.constantFrom('}', ']', ',', '{}', '"').map((rest) => json + rest),
    fc.constantFrom('message=hello', '<message>hello</message>', `{'message':'hello'}`, '{message:"hello"}'),
  )
}

export const defects: readonly BodyDefect[] = [
  {
    breaks: 'REQ-MESSAGE-REQUIRED',
    spoil: (base) => fc.constantFrom(JSON.stringify({ ...base, message: undefined })),
  },
  { breaks: 'REQ-MESSAGE-EMPTY', spoil: member('message', fc.constant('')) },
  { breaks: 'REQ-MESSAGE-STRING', spoil: member('message', fc.oneof(notText, fc.constant(null))) },
  {
    breaks: 'REQ-MESSAGE-OVER',
    spoil: member(
      'message',
      fc.integer({ min: over, max: 2 * over }).map((length) => 'x'.repeat(length)),
    ),
  },
  { breaks: 'REQ-CONVERSATION-STRING', spoil: member('conversation_id', notText) },
  {
    breaks: 'REQ-CONVERSATION-UUID',
    spoil: (base) =>
      almostUuid(base.conversation_id).chain((value) => member('conversation_id', fc.constant(value))(base)),
  },
  { breaks: 'REQ-INTERACTION-OBJECT', spoil: member('interaction', notObject) },
  { breaks: 'REQ-JSON-MALFORMED', spoil: (base) => malformed(JSON.stringify(base)) },
  {
    breaks: 'REQ-JSON-OBJECT',
    spoil: (base) =>
      fc.constantFrom<Json[]>([base], [], base.message, 7, true, null).map((value) => JSON.stringify(value)),
  },
]

/** `each` bodies of every defect in turn: the i-th has the defect at `i % of.length`. */
export function spoiled(base: Base, seed: number, each: number, of = defects): readonly string[] {
  const samples = of.map(({ spoil }, at) => fc.sample(spoil(base), { seed: seed + at, numRuns: each }))
  return Array.from({ length: each }, (_, round) => samples.map((bodies) => bodies[round] ?? '')).flat()
}

export function keyInHeader(raw: string, key: string): ChatRequest {
  return { raw, headers: [['Idempotency-Key', key]] }
}

export const defectsOf = (...clauses: readonly ClauseId[]): readonly BodyDefect[] =>
  defects.filter(({ breaks }) => clauses.includes(breaks))

type Bad = 'accepted' | 'bad[]'
type Beside = (accepted: Exchange, bad: Exchange, expected: number) => Judgement

/** A judge for each defect, of bodies that `spoiled` made. */
export const refusedEach = (
  of: readonly BodyDefect[],
  beside: Beside,
): { readonly [C in ClauseId]?: Judge<Bad> } =>
  Object.fromEntries(
    of.map(({ breaks }, at): [ClauseId, Judge<Bad>] => [
      breaks,
      ({ accepted, bad }) =>
        every(
          bad.filter((_, i) => i % of.length === at),
          (one) => beside(accepted, one, 400),
        ),
    ]),
  )
