/** Whatever an input is, it is refused exactly where the schema that discovery shows refuses it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { at, openProject, type Project } from './testing/project.testkit.ts'
import { samples } from './testing/samples.testkit.ts'

let project: Project
const shown = new Map<string, JsonObject>()
beforeAll(async () => {
  project = await openProject()
  const listed = at((await project.ask('GET', '/operations')).json, 'operations')
  for (const row of (Array.isArray(listed) ? listed : []).filter(isObject))
    if (typeof row['id'] === 'string' && isObject(row['inputSchema']))
      shown.set(row['id'], row['inputSchema'])
})
afterAll(() => project.simulator.close())

const ajv = new Ajv2020({ strict: true })
addFormats.default(ajv)

const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

/** The sample with some members taken out, and others put in or replaced. */
function bent(sample: JsonObject): fc.Arbitrary<Json> {
  const names = Object.keys(sample)
  const known = fc.constantFrom(...(names.length > 0 ? names : ['limit']))
  const put = fc.dictionary(fc.oneof(known, fc.string({ maxLength: 8 })), anything, { maxKeys: 2 })
  const kept = fc
    .subarray(names)
    .map((left) => Object.fromEntries(left.map((name) => [name, sample[name] ?? null])))
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(kept, put).map(([some, more]) => ({ ...some, ...more })) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(sample) },
  )
}

/** A write with a route of its own is not executed; its own tests send it what does not fit. */
const executed = catalogue.filter(({ kind, route }) => kind === 'read' || route === null).map(({ id }) => id)

test.for(Object.keys(samples('any')).filter((id) => executed.includes(id)))('%s', async (operation) => {
  const sample = samples(project.simulator.tenant.agents.plain)[operation] ?? {}
  const schema = shown.get(operation) ?? {}
  const taken = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(bent(sample), async (input) => {
      const { status } = await project.run(operation, input)
      const fits = ajv.validate(schema, input)
      taken.add(fits)
      expect({ status, fits }).toEqual({
        status: expect.toBeOneOf(fits ? [200, 202, 422] : [400, 404]),
        fits,
      })
    }),
    { seed: 7, numRuns: 60 },
  )
  expect(taken).toEqual(new Set([true, false]))
})
