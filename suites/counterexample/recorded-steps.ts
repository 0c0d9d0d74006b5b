/** A scenario that sends the steps of a counterexample, judged by the judges of the scenario it was found with. */
import { isDeepStrictEqual } from 'node:util'
import type { AnyScenario, ChatRequest, Driver } from '../scenario/scenario.ts'
import { type Exchange, at, type Json, json } from '../wire/exchange.ts'
import {
  flatSteps,
  type Counterexample,
  type ReplayStep,
  type StepText,
  referring,
  type StepBody,
  type From,
  type Reference,
} from './file.ts'
import { fields } from '../assertions/reply.ts'
import { isObject } from '../../spec/json.ts'

export function withSteps(own: AnyScenario, file: Counterexample): AnyScenario {
  const { length: requests } = flatSteps(file)
  const { rule: _sendsNothing, ...scenario } = own
  return { ...scenario, cost: { requests, turns: requests }, run: (t) => send(t, file) }
}

interface Sender extends Omit<Driver, 'together'> {
  together(name: string, requests: readonly ChatRequest[]): Promise<readonly Exchange[]>
}

async function send(t: Sender, { steps, notes }: Counterexample): Promise<void> {
  for (const [name, value] of Object.entries(notes)) t.note(name, value)
  const resolver = createResolver(t)
  for (const step of steps) {
    if ('atOnce' in step) await sendTogether(t, step.atOnce, resolver)
    else {
      if (step.waitMs !== undefined) await t.pause(step.waitMs)
      await begin(t, step, resolver)
    }
  }
}

function begin(t: Sender, step: ReplayStep, resolver: Resolver): Promise<Exchange> {
  const answer = requestOf(step, resolver).then(async (request) => {
    if (step.method === 'POST') return t.start(step.name, request).answer
    const { raw: _, agent: __, ...rest } = request
    return t.read(step.name, await resolver.text(step.path), rest)
  })
  resolver.sent(step.id, ownKey(step), answer)
  return answer
}

/** Past one barrier where the scenario had one; else each so long after the first as it was. */
async function sendTogether(t: Sender, steps: readonly ReplayStep[], resolver: Resolver): Promise<void> {
  const [first] = steps
  const barrier = steps.every(
    ({ method, name, afterMs }) => method === 'POST' && name === first?.name && afterMs === undefined,
  )
  if (first && barrier) {
    if (first.waitMs !== undefined) await t.pause(first.waitMs)
    const requests = await Promise.all(steps.map((step) => requestOf(step, resolver)))
    const together = t.together(first.name, requests)
    steps.forEach((step, at) => {
      const answer = together.then(
        (all) => all[at] ?? t.stop(`the requests sent at once have no number ${at + 1}`),
      )
      resolver.sent(step.id, ownKey(step), answer)
    })
    return void (await together)
  }
  const begun: Promise<Exchange>[] = []
  let gone = 0
  for (const step of steps) {
    const { afterMs = gone, waitMs = 0 } = step
    if (afterMs > gone || waitMs > 0) await t.pause(Math.max(afterMs - gone, waitMs))
    gone = Math.max(gone, afterMs)
    begun.push(begin(t, step, resolver))
  }
  await Promise.all(begun)
}

/** The role whose key stands in it as every request has it. */
function ownKey({ as, headers }: ReplayStep): string | null {
  const [, value] = headers.find(([name]) => isAuthorization(name)) ?? []
  return as !== null && isDeepStrictEqual(value, ['Bearer ', { key: as }]) ? as : null
}

const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization'

async function requestOf(step: ReplayStep, resolver: Resolver): Promise<ChatRequest> {
  const as = ownKey(step)
  const own = step.headers.filter(([name]) => as === null || !isAuthorization(name))
  const headers = await Promise.all(
    own.map(async ([name, value]) => [name, await resolver.text(value)] as const),
  )
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const path = await resolver.text(step.path)
  return {
    raw: await resolver.body(step.body),
    agent: decodeURIComponent(path.split('/').at(-1) ?? ''),
    as,
    headers,
    ...(step.leaves
      ? {
          timeouts:
            'afterMs' in step.leaves
              ? { abortAfterMs: step.leaves.afterMs }
              : { abortAfterBytes: step.leaves.afterBytes },
        }
      : {}),
    ...(typed ? {} : { withoutHeaders: ['Content-Type'] }),
  }
}

export type Teller = Pick<Driver, 'agent' | 'secondAgent' | 'agentOf' | 'key' | 'uuid' | 'stop'>

export interface Resolver {
  text(text: StepText): Promise<string>
  body(body: StepBody | undefined): Promise<string | Uint8Array>
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
