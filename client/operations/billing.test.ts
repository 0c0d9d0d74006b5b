import { afterEach, expect, test } from 'vitest'
import { InvalidCall, NoAnswer, ServiceError } from '../errors.ts'
import { openService, type ServiceDouble } from '../service.testkit.ts'
import type { ServiceClient } from '../service-client.ts'

let service: ServiceDouble
afterEach(() => service.close())

interface Read {
  call: (client: ServiceClient) => Promise<unknown>
  path: string
  body: unknown
  result: unknown
}

const subscription = { status: 'active', plan: { displayName: 'Business', some_name: 1 } }
const plan = { id: 'free', display_name: 'Free' }
const reads: Readonly<Record<string, Read>> = {
  getBillingSubscription: {
    call: (client) => client.getBillingSubscription(),
    path: '/api/v1/billing/subscription',
    body: subscription,
    result: subscription,
  },
  getBillingUsage: {
    call: (client) => client.getBillingUsage(),
    path: '/api/v1/billing/usage',
    body: { credits: { remaining: 7 } },
    result: { credits: { remaining: 7 } },
  },
  'getBillingSubscription of a raw one': {
    call: (client) => client.getBillingSubscription(),
    path: '/api/v1/billing/subscription',
    body: { status: 'active', plan: { display_name: 'Business' } },
    result: { status: 'active', plan: { display_name: 'Business', displayName: 'Business' } },
  },
  listAgents: {
    call: (client) => client.listAgents(),
    path: '/api/v1/agents',
    body: { agents: [{ id: 'a' }] },
    result: [{ id: 'a' }],
  },
  listBillingPlans: {
    call: (client) => client.listBillingPlans(),
    path: '/api/v1/billing/plans',
    body: { plans: [plan] },
    result: [plan],
  },
  'listBillingPlans of a bare list': {
    call: (client) => client.listBillingPlans(),
    path: '/api/v1/billing/plans',
    body: [plan],
    result: [plan],
  },
  listBillingInvoices: {
    call: (client) => client.listBillingInvoices(),
    path: '/api/v1/billing/invoices',
    body: { invoices: [] },
    result: [],
  },
  'listBillingInvoices with a limit': {
    call: (client) => client.listBillingInvoices({ limit: 3 }),
    path: '/api/v1/billing/invoices?limit=3',
    body: { invoices: [{ id: 'i1' }] },
    result: [{ id: 'i1' }],
  },
}

test.for(Object.entries(reads))('LIB-BILLING: %s reads what it is named after', async ([, read]) => {
  service = await openService({ body: read.body })
  const dialect = { routes: { agents: '/api/v1/agents' } }
  expect(await read.call(service.client({ dialect }))).toEqual(read.result)
  expect(service.met.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${read.path}`])
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

test('LIB-REFUSED: a key without the scope gets the refusal', async () => {
  service = await openService({ status: 403, body: { error: 'FORBIDDEN' } })
  await expect(service.client().getBillingUsage()).rejects.toThrow(ServiceError)
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
