import { afterEach, expect, test } from 'vitest'
import { InvalidCall, NoAnswer } from '../errors.ts'
import { openService, type ServiceDouble } from '../service.testkit.ts'
import type { ServiceClient } from '../service-client.ts'

let service: ServiceDouble
afterEach(() => service.close())

type Read = readonly [
  call: (client: ServiceClient) => Promise<unknown>,
  path: string,
  body: unknown,
  result: unknown,
]

const plans = [{ id: 'free', display_name: 'Free' }]
const raw = { status: 'active', plan: { display_name: 'Business' } }
const named = { status: 'active', plan: { ...raw.plan, displayName: 'Business' } }
const usage = { credits: { remaining: 7 } }
const reads: Readonly<Record<string, Read>> = {
  'a subscription': [(client) => client.getBillingSubscription(), 'billing/subscription', named, named],
  'a raw subscription': [(client) => client.getBillingSubscription(), 'billing/subscription', raw, named],
  usage: [(client) => client.getBillingUsage(), 'billing/usage', usage, usage],
  agents: [(client) => client.listAgents(), 'agents', { agents: [{ id: 'a' }] }, [{ id: 'a' }]],
  plans: [(client) => client.listBillingPlans(), 'billing/plans', { plans }, plans],
  'plans of a bare list': [(client) => client.listBillingPlans(), 'billing/plans', plans, plans],
  invoices: [(client) => client.listBillingInvoices(), 'billing/invoices', { invoices: [] }, []],
  'some invoices': [
    (client) => client.listBillingInvoices({ limit: 3 }),
    'billing/invoices?limit=3',
    { invoices: [{ id: 'i1' }] },
    [{ id: 'i1' }],
  ],
}

test.for(Object.entries(reads))('LIB-BILLING: %s', async ([, [call, path, body, result]]) => {
  service = await openService({ body })
  const dialect = { routes: { agents: '/api/v1/agents' } }
  expect(await call(service.client({ dialect }))).toEqual(result)
  expect(service.met.map((met) => `${met.method} ${met.path}`)).toEqual([`GET /api/v1/${path}`])
})

test('LIB-BILLING: a read is an operation where the dialect says so', async () => {
  service = await openService({ body: { status: 'completed', data: { invoices: [{ id: 'i1' }] } } })
  const client = service.client({ dialect: { routes: { invoices: 'billing.invoices' } } })
  expect(await client.listBillingInvoices({ limit: 2 })).toEqual([{ id: 'i1' }])
  expect(service.met[0]).toMatchObject({
    path: '/api/v1/operation-executions/billing.invoices',
    body: { input: { limit: 2 } },
  })
})

test('LIB-BILLING: is read from where the dialect says', async () => {
  const answer = { data: { state: 'on', tier: { title: 'Gold' }, usage: { credits: { remaining: 3 } } } }
  service = await openService({ body: answer }, { body: answer })
  const subscription = { status: '/data/state', planName: '/data/tier/title' }
  const client = service.client({ dialect: { subscription, usage: { container: '/data/usage' } } })
  expect(await client.getBillingSubscription()).toMatchObject({ status: 'on', plan: { displayName: 'Gold' } })
  expect(await client.getBillingUsage()).toEqual({ credits: { remaining: 3 } })
})

test('what is no list, or no object, is not passed off as one', async () => {
  service = await openService({ body: { total: 0 } }, { body: [] })
  await expect(service.client().listBillingPlans()).rejects.toThrow(NoAnswer)
  await expect(service.client().getBillingUsage()).rejects.toThrow(NoAnswer)
})

test('a limit that is no whole number fails before anything is sent', async () => {
  service = await openService()
  await expect(service.client().listBillingInvoices({ limit: Number.NaN })).rejects.toThrow(InvalidCall)
  expect(service.met).toEqual([])
})
