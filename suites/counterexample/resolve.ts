/** Puts fresh values in the place of references, and what an earlier answer of this replay gave. */
import type { Driver } from '../scenario/driver.ts'
import { fields } from '../assertions/reply.ts'
import { json } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { at, type Json } from '../wire/json.ts'
import { referring, type StepBody, type From, type Reference, type StepText } from './file.ts'
import { isObject } from '../../spec/json.ts'

export type Teller = Pick<Driver, 'agent' | 'secondAgent' | 'agentOf' | 'key' | 'uuid' | 'stop'>

export interface Resolver {
  text(text: StepText): Promise<string>
  body(body: StepBody | undefined): Promise<string | Uint8Array>
  /** Every step that was sent, by its id, as soon as it was. */
  sent(step: string, role: string | null, answer: Promise<Exchange>): void
}

export function createResolver(t: Teller): Resolver {
  const made = new Map<string, string>()
  const answers = new Map<string, Promise<Exchange>>()
  const keys = new Map<string, Promise<Exchange>>()
  const once = (label: string, make: () => string): string => {
    const found = made.get(label) ?? make()
    made.set(label, found)
    return found
  }

  async function copied({ from: step, at: pointer }: From): Promise<Json> {
    const exchange = await answers.get(step)
    const body = exchange && (fields(exchange) ?? parsed(exchange))
    const value = body ? at(body as Json, pointer) : undefined
    return value ?? t.stop(`the answer to \`${step}\` has nothing at ${pointer}, which a later step needs`)
  }

  /** A scenario holds no key itself: it is read from a request that was sent with it. */
  async function keyOf(role: string): Promise<string> {
    const exchange = await keys.get(role)
    const signed = exchange?.request.headers.find(([name]) => name.toLowerCase() === 'authorization')
    return signed?.[1].replace(/^\S+ +/, '') ?? t.stop(`no earlier step was sent with the key of ${role}`)
  }

  async function value(reference: Reference): Promise<string> {
    if ('fresh' in reference) return once(reference.fresh, () => digits(t, reference.digits))
    if ('uuid' in reference) return once(reference.uuid, () => t.uuid())
    if ('unknownKey' in reference) return once(reference.unknownKey, () => `sk-${t.uuid()}`)
    if ('session' in reference) return t.stop('a signed-in user takes part, whom only a whole scenario knows')
    if ('agent' in reference) return agentOf(reference.agent, t)
    if ('key' in reference) return keyOf(reference.key)
    const found = await copied(reference)
    return typeof found === 'string' ? found : JSON.stringify(found)
  }

  async function text(pieces: StepText): Promise<string> {
    if (typeof pieces === 'string') return pieces
    const found = await Promise.all(
      pieces.map(async (piece) => (typeof piece === 'string' ? piece : value(piece))),
    )
    return found.join('')
  }

  async function filled(node: Json): Promise<Json> {
    if (Array.isArray(node)) return Promise.all(node.map((item: Json) => filled(item)))
    if (!isObject(node)) return node
    const found = referring(node)
    if (found) return '$text' in found ? text(found.$text) : copied(found.$copy)
    const members = Object.entries(node).map(async ([name, inner]) => [name, await filled(inner)] as const)
    return Object.fromEntries(await Promise.all(members))
  }

  return {
    text,
    async body(body) {
      if (body === undefined) return ''
      if ('base64' in body) return new Uint8Array(Buffer.from(body.base64, 'base64'))
      return 'text' in body ? text(body.text) : JSON.stringify(await filled(body.json))
    },
    sent(step, role, answer) {
      answers.set(step, answer)
      if (role !== null && !keys.has(role)) keys.set(role, answer)
    },
  }
}

function parsed(exchange: Exchange): Json | null {
  const body = json(exchange)
  return body.ok ? body.value : null
}

function digits(t: Teller, count: number): string {
  let made = ''
  while (made.length < count) made += t.key().slice(-32)
  return made.slice(0, count)
}

function agentOf(name: string, t: Teller): string {
  if (name === 'plain') return t.agent
  return name === 'second' ? t.secondAgent : t.agentOf(name.replace(/^of /, ''))
}
