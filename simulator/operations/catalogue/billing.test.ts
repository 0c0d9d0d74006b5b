import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, openProject, type Project } from '../testing/project.testkit.ts'

let project: Project
beforeAll(async () => {
  project = await openProject()
})
afterAll(() => project.simulator.close())

const routes = ['usage', 'subscription', 'plans', 'invoices'] as const

test('the usage is what the latest turn said is left', async () => {
  const { agents } = project.simulator.tenant
  const left = []
  for (const key of ['first', 'second']) {
    const turn = await project.ask('POST', `/chat/${agents.plain}`, { message: 'hello' }, { key })
    const usage = await project.ask('GET', '/billing/usage')
    left.push([turn.body['credits_remaining'], at(usage.json, 'credits', 'remaining')])
  }
  expect(left).toEqual([
    [999_999, 999_999],
    [999_998, 999_998],
  ])
})

test.for(routes)('%s is refused to a key without billing_read', async (route) => {
  expect(await project.ask('GET', `/billing/${route}`)).toMatchObject({ status: 200 })
  expect(await project.ask('GET', `/billing/${route}`, undefined, { as: 'noBilling' })).toMatchObject({
    status: 403,
  })
})

test('the subscription names its plan', async () => {
  const { tenant } = project.simulator
  const seen = []
  for (const plan of ['business', 'trial']) {
    tenant.setPlan('main', plan)
    seen.push((await project.ask('GET', '/billing/subscription')).body)
  }
  tenant.setPlan('main', 'business')
  expect(seen).toEqual([
    { status: 'active', plan: { displayName: 'Business' } },
    { status: 'trialing', plan: { displayName: 'Trial' } },
  ])
})

test.for([
  ['', 24],
  ['?limit=1', 1],
  ['?limit=100', 24],
  ['?limit=5&other=x', 5],
] as const)('invoices%s has %i', async ([query, count]) => {
  const invoices = at((await project.ask('GET', `/billing/invoices${query}`)).json, 'invoices')
  expect(invoices).toHaveLength(count)
})

test.for(['0', '-1', '101', '1.5', 'many', '', '1e3', '99999999999999999999', '%00'])(
  'a limit of %j is refused',
  async (limit) => {
    expect(await project.ask('GET', `/billing/invoices?limit=${limit}`)).toMatchObject({ status: 400 })
  },
)

test('no billing read shows anything of a card or changes a plan', async () => {
  const before = await project.ask('GET', '/billing/subscription')
  for (const route of routes)
    expect((await project.ask('GET', `/billing/${route}`)).text).not.toMatch(/card|iban|cvc|last4/i)
  expect(await project.ask('GET', '/billing/subscription')).toEqual(before)
})
