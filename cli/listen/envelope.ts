/** What is odd about a delivery, in words: those of a person at a terminal, not the verdicts of a run. */
import { webhookEvents } from '../../spec/index.ts'
import type { Arrival } from '../../suites/inbound/inbox.ts'
import { decode } from '../../suites/wire/body.ts'
import { parseJson, type Json } from '../../suites/wire/json.ts'

type Members = { readonly [name: string]: Json }

export interface Envelope {
  /** From the body, else from the header; null where neither has one. */
  event: string | null
  problems: readonly string[]
}

export function envelopeOf(arrival: Arrival): Envelope {
  const named = headerOf(arrival, 'x-service-event')
  // Somebody looked with a browser: the rest would only repeat it.
  if (arrival.method !== 'POST') return { event: named, problems: [`it is a ${arrival.method}, not a POST`] }
  const about = [...requestProblems(arrival)]
  if (arrival.cut) return { event: named, problems: [...about, 'the body is too large to be looked into'] }
  const body = membersOf(arrival.body)
  if (typeof body === 'string') return { event: named, problems: [...about, body] }
  const event = typeof body['eventType'] === 'string' ? body['eventType'] : null
  return {
    event: event ?? named,
    problems: [...about, ...bodyProblems(body), ...eventProblems(event, named)],
  }
}

/** The value of the first header of this name. */
export function headerOf({ headers }: Pick<Arrival, 'headers'>, name: string): string | null {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? null
}

function* requestProblems(arrival: Arrival): Iterable<string> {
  const type = headerOf(arrival, 'content-type')
  const agent = headerOf(arrival, 'user-agent')
  const id = headerOf(arrival, 'x-service-delivery-id')
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) yield `Content-Type is ${type ?? 'missing'}`
  if (agent !== 'Service-Webhooks/1.0') yield `User-Agent is ${agent ?? 'missing'}`
  if (id === null) yield 'x-service-delivery-id is missing'
  else if (!/^(whd|test)_./.test(id)) yield 'the delivery id starts with neither whd_ nor test_'
}

/** The members of the body, or why it has none. */
function membersOf(body: Uint8Array): Members | string {
  const { valid, text } = decode(body)
  const read = valid ? parseJson(text) : { ok: false as const, why: 'it is not UTF-8' }
  if (!read.ok) return `the body is no JSON: ${read.why}`
  const isObject = typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
  return isObject ? (read.value as Members) : 'the body is no JSON object'
}

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:?00)$/
const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

const shapes: Readonly<Record<string, { is: string; fits: (value: Json | undefined) => boolean }>> = {
  eventType: { is: 'a text', fits: isText },
  chatbotId: { is: 'a text', fits: isText },
  timestamp: {
    is: 'a time in UTC',
    fits: (value) => typeof value === 'string' && utc.test(value) && !Number.isNaN(Date.parse(value)),
  },
  payload: {
    is: 'an object',
    fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
}

function* bodyProblems(body: Members): Iterable<string> {
  for (const [name, { is, fits }] of Object.entries(shapes)) {
    if (!Object.hasOwn(body, name)) yield `${name} is missing`
    else if (!fits(body[name])) yield `${name} is not ${is}`
  }
  for (const flag of ['_test', 'test']) if (Object.hasOwn(body, flag)) yield `${flag} stands at the top level`
}

function* eventProblems(event: string | null, named: string | null): Iterable<string> {
  if (named === null) yield 'x-service-event is missing'
  if (event !== null && named !== null && event !== named) yield `x-service-event is ${named}`
  if (event !== null && !Object.hasOwn(webhookEvents, event)) yield `there is no event ${event}`
}
