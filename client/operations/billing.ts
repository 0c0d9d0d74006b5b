/** Reads of what a project pays for. They change nothing. */
import type { BillingUsage } from '../../spec/types/openapi.ts'
import type { Dialect } from '../options/dialect.ts'
import { InvalidCall, UnknownShape } from '../errors.ts'
import { firstAt, isJsonArray, isObject, isText, type JsonObject } from '../json.ts'
import { executeOperation, readFrom, type CallOptions, type Operating } from './operations.ts'
import { serviceErrorOf } from '../http/refusal.ts'

export type { BillingUsage }

export interface BillingSubscription extends JsonObject {
  readonly status: string
  readonly plan: JsonObject & { readonly displayName: string }
}

export interface ListOptions extends CallOptions {
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
  if (place.startsWith('/')) return readFrom(operating.transport, `${place}${query}`, options)
  const { limit, signal } = options
  const input = limit === undefined ? {} : { limit }
  const receipt = await executeOperation(operating, place, input, { signal })
  if (receipt.status === 'completed') return receipt.data
  throw serviceErrorOf({ status: 200, headers: new Headers(), body: receipt.body })
}

/** Rejects where the response has no object at any of the pointers: its members are the service's to vouch for. */
async function objectAt(
  operating: Operating,
  place: string,
  pointers: readonly string[],
  options: CallOptions,
): Promise<JsonObject> {
  const found = firstAt(pointers, await readAt(operating, place, options), isObject)
  if (found) return found
  throw new UnknownShape(
    `The response of ${place} has no JSON object at any of ${JSON.stringify(pointers)}.`,
    'Say in the dialect where it is read, and where it has one.',
  )
}

export async function listAt(
  operating: Operating,
  list: keyof Dialect['lists'],
  options: ListOptions,
): Promise<readonly JsonObject[]> {
  const { routes, lists } = operating.dialect
  const rows = firstAt(lists[list], await readAt(operating, routes[list], options), isJsonArray)
  if (rows) return rows.filter(isObject)
  throw new UnknownShape(
    `The response of ${routes[list]} has no list at any of ${JSON.stringify(lists[list])}.`,
    `Say in \`dialect.lists.${list}\` where it has one.`,
  )
}

/** The names of the contract, wherever the service has what they name. */
export async function readSubscription(
  operating: Operating,
  options: CallOptions,
): Promise<BillingSubscription> {
  const { routes, subscription } = operating.dialect
  const body = await objectAt(operating, routes.subscription, [''], options)
  const status = firstAt(subscription.status, body, isText)
  const displayName = firstAt(subscription.planName, body, isText)
  const plan = isObject(body['plan']) ? body['plan'] : {}
  return {
    ...body,
    ...(status !== undefined && { status }),
    ...(displayName !== undefined && { plan: { ...plan, displayName } }),
  } as BillingSubscription
}

export async function readUsage(
  operating: Operating,
  options: CallOptions,
): Promise<JsonObject & BillingUsage> {
  const { container } = operating.dialect.usage
  const usage = await objectAt(operating, '/api/v1/billing/usage', container, options)
  return usage as JsonObject & BillingUsage
}
