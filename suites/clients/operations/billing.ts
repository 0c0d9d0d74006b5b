/** The four billing reads. One route of them is shown; of the others what reaches the caller is judged alone. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, inconclusive, pass } from '../../scenario/expect.ts'
import { type Exchange, type Json, member } from '../../wire/exchange.ts'
import { successful, whereSuccessful } from '../assertions/request.ts'
import {
  hasLimit,
  reportedItems,
  reportsOf,
  containsValue,
  reachesCaller,
  resultHas,
  nothingReported,
} from '../assertions/reported-reply.ts'
import { sentTo } from '../assertions/step-result.ts'
import { completedReceipt, routes, script } from '../execution/step.ts'
import { clientScenario, type ClientScenario } from '../client-scenario.ts'
import type { BillingTask, ServiceSetup } from '../execution/task.ts'

type Read = BillingTask['read']

const operations = ['usage', 'subscription', 'plans', 'invoices'].map((read) => `billing.${read}`)
const listing: Json = {
  operations: operations.map((id) => ({ id, inputSchema: { type: 'object', properties: {} } })),
}

function reading(body: Json): ServiceSetup {
  const networkFaults = [
    ...script(routes.discovery, [listing]),
    ...script(routes.execution, [completedReceipt(body)]),
    ...script(routes.anyRead, [body]),
  ]
  return { networkFaults }
}

const facts = {
  subscription: { status: 'active', plan: { id: 'plan_lantern', displayName: 'Lantern Yearly' } },
  usage: { credits: { remaining: 417 } },
  plans: { plans: ['Lantern', 'Harbour', 'Lighthouse'].map((displayName) => ({ displayName })) },
} as const

/** Of the four it is the one whose route is shown. */
function elsewhere(exchanges: readonly Exchange[]): Judgement {
  const [first] = exchanges
  if (!first) return inconclusive('nothing was sent')
  const { method, path } = first.request
  return fail('GET /api/v1/billing/usage', `${method} ${path}`, first)
}

export const usage = clientScenario({
  title: 'the usage is read at its route, and the credits that are left reach the caller',
  steps: { usage: { task: { do: 'billing', read: 'usage' }, service: reading(facts.usage) } },
  judge: {
    'LIB-BILLING': ({ usage }, context) =>
      sentTo(usage, 'usage').length > 0
        ? whereSuccessful(sentTo(usage, 'usage'), () => withCredits(sentTo(usage, 'usage'), context))
        : elsewhere(usage),
  },
})

/** The request proves the read, so a report is not needed. */
function withCredits(reads: readonly Exchange[], context: Context): Judgement {
  const read = successful(reads).at(-1)
  const left = read && member(read, '/credits/remaining')
  if (typeof left !== 'number') return inconclusive('no credits were answered')
  const judged = reachesCaller(context, 'usage', [left], read)
  return judged === nothingReported ? pass : judged
}

function reaches(read: Exclude<Read, 'invoices'>, wanted: readonly (string | number)[]): ClientScenario {
  return clientScenario({
    title: `what a read of the ${read} comes to reaches the caller`,
    steps: { read: { task: { do: 'billing', read }, service: reading(facts[read]) } },
    judge: {
      'LIB-BILLING': ({ read }, context) =>
        whereSuccessful(read, () => reachesCaller(context, 'read', wanted, read.at(-1))),
    },
  })
}

export const subscription = reaches('subscription', ['active', 'Lantern Yearly'])
export const plans = reaches('plans', ['Lantern', 'Harbour', 'Lighthouse'])

/** The refusal is reported, and no number known from elsewhere. */
export const refused = clientScenario({
  title: 'a usage read that is refused is no usage',
  steps: {
    allowed: { task: { do: 'billing', read: 'usage' }, service: reading(facts.usage) },
    refused: {
      task: { do: 'billing', read: 'usage' },
      service: {
        networkFaults: script(routes.anyRead, [{ error: 'The API key may not read billing.' }], 403),
      },
    },
  },
  judge: {
    'LIB-REFUSED': ({ allowed, refused: sent }, context) =>
      whereSuccessful(sentTo(allowed, 'usage'), () => {
        const [first] = sentTo(sent, 'usage')
        if (!first) return inconclusive('the usage was not read')
        const reported = reportsOf(context, 'refused')
        if (reported.length === 0) return nothingReported
        const claims = reported.filter(
          (line) => line.saw === 'result' && !containsValue(line.result, 'may not read'),
        )
        const isFailure = reported.some(({ saw }) => saw === 'error') || claims.length === 0
        return check(isFailure, 'a refusal that reaches the caller', JSON.stringify(claims), first)
      }),
  },
})

function exposes(read: 'subscription' | 'usage', places: Readonly<Record<string, Json>>): ClientScenario {
  const names = Object.keys(places).map((place) => `\`${place.slice(1).replaceAll('/', '.')}\``)
  return clientScenario({
    title: `the library exposes ${names.join(' and ')} of the ${read}`,
    clientKind: 'library',
    steps: { read: { task: { do: 'billing', read }, service: reading(facts[read]) } },
    judge: {
      'LIB-BILLING': ({ read }, context) =>
        whereSuccessful(read, () => resultHas(context, 'read', places, read.at(-1))),
    },
  })
}

export const subscriptionMembers = exposes('subscription', {
  '/status': 'active',
  '/plan/displayName': 'Lantern Yearly',
})
export const usageMembers = exposes('usage', { '/credits/remaining': 417 })

const limit = 7

export const invoices = clientScenario({
  title: 'invoices are listed, no more of them than were asked for',
  steps: {
    all: { task: { do: 'billing', read: 'invoices' } },
    limited: { task: { do: 'billing', read: 'invoices', limit } },
  },
  judge: {
    'LIB-BILLING': ({ all: whole, limited }, context) =>
      whereSuccessful(whole, () =>
        whereSuccessful(limited, () => all(heldTo(limited, context), listed(context, 'all', whole))),
      ),
  },
})

/** How a limit is sent is not shown; a client may as well cut the list by itself. */
function heldTo(exchanges: readonly Exchange[], context: Context): Judgement {
  const last = exchanges.at(-1)
  if (exchanges.some(hasLimit(limit))) return pass
  const items = reportedItems(context, 'limited')
  if (items === null) return inconclusive('no request had the limit, and no result was reported')
  return check(items <= limit, `no more than ${limit} invoices`, `${items}`, last)
}

function listed(context: Context, step: string, exchanges: readonly Exchange[]): Judgement {
  const items = reportedItems(context, step)
  if (items === null) return nothingReported
  if (items > limit || exchanges.some(hasLimit(items))) return pass
  return fail(`more than ${limit} invoices where no limit was given`, `${items}`, exchanges.at(-1))
}
