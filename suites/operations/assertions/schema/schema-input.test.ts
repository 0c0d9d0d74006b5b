import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../wire/exchange.ts'
import { inputDefects } from './schema-defects.ts'
import { inputs, inputEdges } from './schema-input.ts'

const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** Typical schemas of services, each with a valid input. */
const schemas: Readonly<Record<string, readonly [schema: Json, known: Json]>> = {
  numbers: [
    object({
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      price: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      fives: { type: 'integer', multipleOf: 5, minimum: 3, maximum: 22 },
    }),
    {},
  ],
  texts: [
    object(
      {
        title: { type: 'string', minLength: 3, maxLength: 9 },
        tag: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,19}$' },
        time: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
        digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        when: { type: 'string', format: 'date-time' },
        mail: { type: 'string', format: 'email' },
      },
      ['title'],
    ),
    { title: 'known' },
  ],
  'choices and branches': [
    object({
      tone: { enum: ['friendly', 'formal'] },
      kind: { const: 'note' },
      limit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    }),
    {},
  ],
  lists: [
    object({
      tags: {
        type: 'array',
        items: { type: 'string', pattern: '^[a-z]{3,5}$' },
        maxItems: 3,
        uniqueItems: true,
      },
      rows: { type: 'array', items: object({ count: { type: 'integer' } }, ['count']), minItems: 2 },
    }),
    {},
  ],
  references: [
    {
      $defs: { person: object({ name: { type: 'string', minLength: 1 } }, ['name']) },
      type: 'object',
      properties: {
        author: { $ref: '#/$defs/person' },
        others: { type: 'array', items: { $ref: '#/$defs/person' } },
      },
      required: ['author'],
      additionalProperties: false,
    },
    { author: { name: 'Ida' } },
  ],
  'what is not understood': [
    object(
      {
        odd: { type: 'string', contentEncoding: 'base64' },
        look: { type: 'string', pattern: '^(?=x)x$' },
        any: { type: 'string', pattern: '^.+$' },
        other: { type: 'string', pattern: '^[^x]+$' },
        customerId: { type: 'string' },
      },
      ['odd', 'customerId'],
    ),
    { odd: 'aGk=', customerId: 'cus_1001' },
  ],
}

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
const seeds = { numRuns: 60, seed: 7 }

describe.for(Object.entries(schemas))('%s', ([, [schema, known]]) => {
  const fits = ajv.compile(schema as object)

  test('whatever is drawn fits the schema', () => {
    for (const full of [false, true]) {
      const arbitrary = inputs(schema, known, full)
      expect(arbitrary).not.toBeNull()
      const drawn = arbitrary ? fc.sample(arbitrary, seeds) : []
      expect(drawn.filter((input) => !fits(input))).toEqual([])
    }
  })

  test('whatever is at an edge fits', () => {
    expect(inputEdges(schema, known).filter((input) => !fits(input))).toEqual([])
  })

  test('whatever has a defect fits no more, and differs in one thing alone', () => {
    const full = inputs(schema, known, true)
    for (const input of full ? fc.sample(full, { ...seeds, numRuns: 5 }) : []) {
      const defects = inputDefects(schema, input)
      expect(defects.length).toBeGreaterThan(1)
      expect(defects.filter((defect) => fits(defect.input)).map(({ what }) => what)).toEqual([])
    }
  })
})

test('a value that stands for something keeps to what is declared, even among choices', () => {
  const schema = object({ agentId: { type: 'string', enum: ['a', 'b', 'c'] } }, ['agentId'])
  const arbitrary = inputs(schema, { agentId: 'b' })
  expect(
    new Set(fc.sample(arbitrary ?? fc.constant(null), seeds).map((input) => JSON.stringify(input))),
  ).toEqual(new Set(['{"agentId":"b"}']))
})

test('nothing but the declared input is drawn for a required member with an unknown keyword', () => {
  const schema = object({ odd: { type: 'string', contentMediaType: 'x' } }, ['odd'])
  const drawn = fc.sample(inputs(schema, { known: 1 }) ?? fc.constant(null), seeds)
  expect(drawn).toEqual(drawn.map(() => ({ known: 1 })))
})

test.for<[string, Json]>([
  ['a bound of an earlier draft', { type: 'integer', minimum: 1, exclusiveMinimum: true }],
  ['a pattern that its lengths hardly allow', { type: 'string', pattern: '^[a-z]+$', minLength: 900 }],
  ['what is for reading', { type: 'string', readOnly: true }],
])('an optional member with %s is not sent', ([, odd]) => {
  const schema = object({ odd })
  expect(fc.sample(inputs(schema, {}, true) ?? fc.constant(null), { ...seeds, numRuns: 5 })).toEqual(
    Array.from({ length: 5 }, () => ({})),
  )
  expect(inputEdges(schema, {})).toEqual([])
})

test('a pattern that takes for ever is left alone', () => {
  const schema = object({ name: { type: 'string', pattern: '^([a-z]+)+$' } })
  const found = inputDefects(schema, { name: 'a'.repeat(60) })
  expect(found.map(({ what }) => what)).toContain('/name unlike its pattern')
})
