import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { catalogue } from './catalogue.ts'
import { openProject, type Project } from '../../testing/project.testkit.ts'

let project: Project
beforeAll(async () => {
  project = await openProject()
})
afterAll(() => project.simulator.close())

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)

/** The most characters of the JSON of what a schema allows, each of them escaped. */
function largest(schema: Json): number {
  if (!isObject(schema)) return Infinity
  const { type, enum: choices, pattern, maxLength, format, maxItems, items, properties, uniqueItems } = schema
  if (Array.isArray(choices)) return Math.max(...choices.map((choice) => JSON.stringify(choice).length))
  if (type === 'number' || type === 'integer' || type === 'boolean') return 24
  if (type === 'array') {
    const ofSet =
      isObject(items) && uniqueItems === true && Array.isArray(items['enum']) && items['enum'].length
    return Number(maxItems ?? (ofSet || Infinity)) * (largest(items ?? null) + 1) + 2
  }
  if (type === 'object' && schema['additionalProperties'] === false)
    return Object.entries(properties ?? {}).reduce(
      (sum, [name, each]) => sum + name.length + 4 + largest(each),
      2,
    )
  if (type !== 'string') return Infinity
  const counted = typeof pattern === 'string' && !/[*+]|,\}/.test(pattern) ? pattern.length * 20 : Infinity
  return 6 * Math.min(Number(maxLength ?? Infinity), format === 'date' ? 10 : Infinity, counted) + 2
}

test('every input has a largest size', () => {
  const sizes = catalogue.map((one) => [one.id, largest(one.input(project.simulator.tenant.state.rules))])
  expect(sizes.filter(([, size]) => Number(size) > 192 * 1024)).toEqual([])
})

test('an e-mail address and a date of any length are refused', async () => {
  const inputs: readonly JsonObject[] = [
    { text: 't', author: { name: 'n', email: `${'e'.repeat(300)}@example.com` } },
    { text: 't', remindAt: `2030-01-01T00:00:00.${'0'.repeat(300)}Z` },
  ]
  for (const input of inputs)
    expect(await project.run('notes.create', input)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/must NOT have more than \d+ characters/) },
    })
})
