import { expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import {
  bareInput,
  withoutOptional,
  optionalLeftOut,
  withWord,
  wordTaken,
  type OmittedMembers,
} from './input-certain.ts'

const text = { type: 'string', minLength: 1, maxLength: 40 }
const schema = {
  type: 'object',
  required: ['text'],
  properties: { text, tone: { type: 'string' }, tags: { type: 'array' } },
}
const fixture = { input: { text: 'Call {fresh} back.' }, fresh: ['/text'] }
const known = { text: 'Call 42 back.', tone: 'plain' }

test('a word is put where the target file says that any text may stand', () => {
  expect(withWord(fixture, schema, known, 'Zoë')).toEqual({ text: 'Call Zoë back.', tone: 'plain' })
})

test.for<[string, Json]>([
  ['a pattern', { ...text, pattern: '^[a-z]+$' }],
  ['a format', { ...text, format: 'email' }],
  ['choices', { ...text, enum: ['a'] }],
  ['too small a bound', { ...text, maxLength: 4 }],
  ['a keyword that is not understood', { ...text, contentEncoding: 'base64' }],
  ['another type', { type: ['string', 'null'] }],
])('no word is put where the schema has %s', ([, member]) => {
  expect(withWord(fixture, { ...schema, properties: { text: member } }, known, 'Zoë')).toBeNull()
})

test('what may be left out is known where the schema says what is required, and all of it is understood', () => {
  expect(bareInput(schema, known)).toEqual({ text: 'Call 42 back.' })
  expect(bareInput({ ...schema, required: [] }, known)).toBeNull()
  expect(bareInput({ ...schema, dependentRequired: {} }, known)).toBeNull()
  expect(bareInput(schema, { text: 'a' })).toBeNull()
  expect(withoutOptional(schema, { ...known, tags: [] })).toEqual([
    { text: 'Call 42 back.', tags: [] },
    { text: 'Call 42 back.', tone: 'plain' },
  ])
})

const invalid = jsonAnswer({ error: 'INVALID_INPUT' }, { status: 400 })
const taken = jsonAnswer({ status: 'completed', data: {} })
const refused = jsonAnswer({ error: 'INVALID_INPUT' }, { status: 400 })
const missing = jsonAnswer({ error: 'NOT_FOUND_HERE' }, { status: 404 })

test.for<[string, Exchange, Judgement['is']]>([
  ['taken', taken, 'pass'],
  ['refused for another reason', missing, 'pass'],
  ['refused as what does not fit', refused, 'warn'],
])('an input with a word in other letters is %s', ([, one, is]) => {
  expect(wordTaken([one], invalid).is).toBe(is)
})

const leftOut = (bare: Exchange, whole: Exchange, ...without: readonly Exchange[]): OmittedMembers => ({
  bare: [bare],
  whole: [whole],
  without,
})

test.for<[string, OmittedMembers, Judgement['is']]>([
  ['all of them', { bare: [taken], whole: [], without: [] }, 'pass'],
  ['one that is missed', leftOut(refused, taken, refused, taken), 'warn'],
  ['the only one', leftOut(refused, taken, refused), 'warn'],
  ['one of two that belong together', leftOut(refused, taken, refused, refused), 'inconclusive'],
  ['each, though one has to be there', leftOut(refused, taken, taken, taken), 'inconclusive'],
  ['one of what is refused as a whole, too', leftOut(refused, refused, refused, taken), 'inconclusive'],
])('a server may be sent less by %s', ([, sent, is]) => {
  expect(optionalLeftOut(sent, invalid).is).toBe(is)
})
