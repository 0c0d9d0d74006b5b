/** Reads of what a project pays for. They change nothing. */
import type { BillingUsage } from '../spec/types/openapi.ts'
import { InvalidCall, NoAnswer } from './errors.ts'
import { firstAt, isList, isObject, type JsonObject } from './json.ts'
import { executeOperation, read, type CallOptions, type Operating } from './operations.ts'
import { refusal } from './refusal.ts'

export type { BillingUsage }

export interface BillingSubscription extends JsonObject {
  readonly status: string
  readonly plan: JsonObject & { readonly displayName: string }
}

export interface ListOptions extends CallOptions {
  /** The most invoices that are wanted. */
  readonly limit?: number | undefined
}

function queryOf({ limit }: ListOptions): string {
  if (limit === undefined) return ''
  if (!Number.isInteger(limit))
    throw new InvalidCall(`\`limit\` is ${limit}.`, 'Give a whole number, or leave it out.')
  return `?limit=${limit}`
}

/** `place`: the path of a read, or the operation that reads. */
async function readAt(operating: Operating, place: string, options: ListOptions): Promise<unknown> {
  const query = queryOf(options)
  if (place.startsWith('/')) return read(operating.transport, `${place}${query}`, options)
  const { limit, signal } = options
  const input = limit === undefined ? {} : { limit }
  const receipt = await executeOperation(operating, place, input, { signal })
  if (receipt.status === 'completed') return receipt.data
  throw refusal({ status: 200, headers: new Headers(), body: receipt.body })
}

/** Rejects where what came is no object: its members are the service's to vouch for. */
async function objectAt(operating: Operating, place: string, options: CallOptions): Promise<JsonObject> {
  const body = await readAt(operating, place, options)
  if (isObject(body)) return body
  throw new NoAnswer(`What ${place} answers is no JSON object.`, 'Say in `dialect.billing` where it is read.')
}

async function listAt(
  operating: Operating,
  place: string,
  pointers: readonly string[],
  options: ListOptions,
): Promise<readonly JsonObject[]> {
  const rows = firstAt(pointers, await readAt(operating, place, options), isList)
  if (rows) return rows.filter(isObject)
  throw new NoAnswer(
    `What ${place} answers has no list at any of ${JSON.stringify(pointers)}.`,
    'Say in `dialect.billing` where it has one.',
  )
}

export const billing = {
  subscription: async (operating: Operating, options: CallOptions) =>
    (await objectAt(operating, operating.dialect.billing.subscription, options)) as BillingSubscription,
  usage: async (operating: Operating, options: CallOptions) =>
    (await objectAt(operating, '/api/v1/billing/usage', options)) as JsonObject & BillingUsage,
  plans: (operating: Operating, options: CallOptions) => {
    const { plans, planList } = operating.dialect.billing
    return listAt(operating, plans, planList, options)
  },
  invoices: (operating: Operating, options: ListOptions) => {
    const { invoices, invoiceList } = operating.dialect.billing
    return listAt(operating, invoices, invoiceList, options)
  },
}
