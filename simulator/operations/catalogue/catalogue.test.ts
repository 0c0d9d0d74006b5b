import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObject, type Json } from '../../json.ts'
import type { KeyRole } from '../../tenant/fixtures.ts'
import { catalogue } from './catalogue.ts'
import { at, openProject, type Project } from '../testing/project.testkit.ts'
import { samples } from '../testing/samples.testkit.ts'

let project: Project
beforeAll(async () => {
  project = await openProject()
})
afterAll(() => project.simulator.close())

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)

interface Listed {
  readonly id: string
  readonly route?: string
  readonly inputSchema: object
}

async function listed(as: KeyRole = 'main'): Promise<readonly Listed[]> {
  const operations = at((await project.ask('GET', '/operations', undefined, { as })).json, 'operations')
  return (Array.isArray(operations) ? operations : []).filter(isObject) as unknown as readonly Listed[]
}

const missing = async (as: KeyRole): Promise<readonly string[]> => {
  const there = (await listed(as)).map(({ id }) => id)
  return catalogue.map(({ id }) => id).filter((id) => !there.includes(id))
}

test('no id stands twice, and each says what it is', () => {
  const ids = catalogue.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { title, description } of catalogue) {
    expect(title).toMatch(/^[A-Z].*\w$/)
    expect(description).toMatch(/^[A-Z].*\.$/)
  }
})

const billing = ['billing.usage', 'billing.subscription', 'billing.plans', 'billing.invoices']
const agents = ['agents.list', 'agent_setup.inspect', 'agent_design.draft']
const uploads = catalogue.filter(({ scope }) => scope === 'knowledge.write').map(({ id }) => id)

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
  for (const input of [
    { text: 't', author: { name: 'n', email: `${'e'.repeat(300)}@example.com` } },
    { text: 't', remindAt: `2030-01-01T00:00:00.${'0'.repeat(300)}Z` },
  ])
    expect(await project.run('notes.create', input)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/must NOT have more than \d+ characters/) },
    })
})

test.for([
  ['main', ['audit_log.list']],
  ['noChat', ['audit_log.list']],
  ['noBilling', [...billing, ...agents, 'audit_log.list', ...uploads]],
  ['other', []],
] as const)('what the key %s does not find in its list', async ([as, without]) => {
  expect([...(await missing(as))].sort()).toEqual([...without].sort())
})

test('what is listed takes the sample, and is not refused; what is not listed is', async () => {
  for (const as of ['main', 'noBilling', 'oneAgent', 'other'] as const) {
    const { tenant } = project.simulator
    const agent = { main: 'plain', noBilling: 'plain', oneAgent: 'second', other: 'foreign' } as const
    const inputs = samples(tenant.agents[agent[as]])
    for (const { id, route, inputSchema } of await listed(as)) {
      const input = inputs[id] ?? {}
      expect({ id, fits: ajv.validate(inputSchema, input), errors: ajv.errors }).toMatchObject({ fits: true })
      if (route !== undefined) continue
      expect({ as, id, ...(await project.run(id, input, { as })) }).toMatchObject({
        status: expect.toBeOneOf([200, 202, 422]),
        body: { status: expect.any(String) },
      })
    }
    for (const id of await missing(as))
      expect({ as, id, ...(await project.run(id, inputs[id] ?? {}, { as })) }).toMatchObject({ status: 403 })
  }
})

test('an agent outside the list of a schema is refused', async () => {
  const { agents: ids } = project.simulator.tenant
  const status = async (agentId: Json, as: KeyRole) =>
    (await project.run('agent_setup.inspect', { agentId }, { as })).status
  expect(await status(ids.plain, 'main')).toBe(200)
  expect(await status(ids.second, 'oneAgent')).toBe(200)
  expect(await status(ids.plain, 'oneAgent')).toBe(403)
  expect(await status(ids.forbidden, 'main')).toBe(403)
  expect(await status(ids.foreign, 'main')).toBe(404)
  expect(await status('agent_none', 'main')).toBe(404)
})

test('agents.list shows a restricted key its own agent only', async () => {
  const { agents: ids } = project.simulator.tenant
  const { json } = await project.run('agents.list', {}, { as: 'oneAgent' })
  expect(at(json, 'data', 'agents')).toEqual([{ id: ids.second, name: 'second' }])
})

test('a list shows the newest hundred, and counts them all', async () => {
  project.simulator.tenant.reset()
  const refund = (number: number) =>
    project.run('payments.refund', { paymentId: `pay_${1000 + number}`, amountCents: 1, currency: 'EUR' })
  for (let number = 0; number <= 100; number++) await refund(number)
  const { json } = await project.run('payments.list')
  expect(at(json, 'data', 'count')).toBe(101)
  expect(at(json, 'data', 'refunds')).toHaveLength(100)
  expect(at(json, 'data', 'refunds', 0, 'paymentId')).toBe('pay_1100')
})

test('an operation with a route of its own names it', async () => {
  const { status, body } = await project.run('billing.usage')
  expect([status, body['message']]).toEqual([400, expect.stringContaining('GET /api/v1/billing/usage')])
})

test.for([
  ['starter', 200],
  ['trial', 200],
  ['free', 403],
] as const)('a project with the plan %s is answered %i', async ([plan, status]) => {
  const { tenant } = project.simulator
  tenant.setPlan('broke', plan)
  expect(await project.ask('GET', '/operations', undefined, { as: 'broke' })).toMatchObject({ status })
  tenant.setPlan('broke', 'business')
})

test('an operation of some plans is listed with them', async () => {
  const { tenant } = project.simulator
  tenant.setPlan('broke', 'trial')
  expect(await missing('broke')).toEqual([])
  tenant.setPlan('broke', 'business')
  expect(await missing('broke')).toEqual(['audit_log.list'])
})

test('the page of operations has a row for each, with its scope', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\| `?([a-z_.]+)`? /gm)]
  expect(rows.map(([, id, scope]) => [id, scope])).toEqual(
    catalogue.map(({ id, scope }) => [id, scope ?? 'none']),
  )
})
