/**
 * The control protocol (spec/control-protocol.yaml) for a staging server in Node: middleware of Express, a handler of
 * `node:http`, and a `fetch` handler for Hono and the like. It imports nothing else, so that it can be copied.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** For whom a state is wanted. What does not concern the state is ignored. */
export interface StateWish {
  readonly agentId?: string
  readonly idempotencyKey?: string
  /** Name of a principal of the target file. */
  readonly principal?: string
  readonly milliseconds?: number
  readonly webhookId?: string
  readonly approvalId?: string
  readonly taskId?: string
  readonly message?: string
}

/** What the suite has to send to meet the state; a member that is missing makes no difference. */
type Setting = Pick<StateWish, 'agentId' | 'message' | 'principal'>

interface StateMade {
  readonly setting?: Setting
  /** Undoes it. Default: there is nothing to undo. */
  readonly leave?: () => unknown
}

/** Enters a state. Throws CannotEnter where it cannot be entered now. */
export type StateProvider = (wish: StateWish) => StateMade | void | Promise<StateMade | void>

export interface ControlProtocolOptions {
  /** At least 16 characters; the `control.token` of the target file. */
  readonly token: string
  /** Path of the four routes; with the origin, the `control.url` of the target file. Default `/control`. */
  readonly path?: string
  /** By the ids of spec/states.ts; a state without an entry is answered 404, and what needs it is not tested. */
  readonly states: Readonly<Record<string, StateProvider>>
  /** Moves the clock of the server by so many milliseconds and does what falls due. Default: it has none. */
  readonly advance?: (ms: number) => Promise<AdvancedTime> | AdvancedTime
}

export interface AdvancedTime {
  readonly now: Date
  /** How many timers fell due. */
  readonly fired: number
}

export interface ControlProtocol {
  /** For Express (`app.use(control.middleware)`) and `node:http`; without `next`, other paths are answered 404. */
  middleware(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): Promise<void>
  /** For servers of `fetch` handlers. Null for a request to another path. */
  fetch(request: Request): Promise<Response | null>
  /** Leaves every state that was entered and not left, the last one first. */
  leaveAll(): Promise<void>
}

/** The state is known and cannot be entered now; the message goes to the caller. */
export class CannotEnter extends Error {
  override name = 'CannotEnter'
}

class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Asked {
  readonly method: string
  /** Below the path of the protocol, without its first slash. */
  readonly path: string
  readonly authorization: string
  readonly contentType: string
  body(): Promise<string>
}

interface Answered {
  readonly status: number
  readonly body: object
}

const bodyMost = 64 * 1024
const tokenLeast = 16
const texts = [
  'agentId',
  'idempotencyKey',
  'principal',
  'webhookId',
  'approvalId',
  'taskId',
  'message',
] as const

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()

/** The states that were entered and not left. */
function statesOf(states: ControlProtocolOptions['states']) {
  const entered = new Map<string, { state: string; leave: () => unknown }>()
  let count = 0
  return {
    entered,
    async enter(state: string, asked: Asked): Promise<Answered> {
      const provider = Object.hasOwn(states, state) ? states[state] : undefined
      if (!provider) throw new Refusal(404, `State \`${state}\` cannot be entered on this server.`)
      const { setting = {}, leave = () => undefined } = (await provider(wishFrom(await json(asked)))) ?? {}
      const handle = `${state}-${++count}`
      entered.set(handle, { state, leave })
      return { status: 201, body: { handle, setting } }
    },
    async leave(state: string, handle: string): Promise<Answered> {
      const found = entered.get(handle)
      if (found?.state !== state) throw new Refusal(404, `State \`${state}\` has no handle \`${handle}\`.`)
      // Two requests for one handle leave it once; what fails can be tried again.
      entered.delete(handle)
      try {
        await found.leave()
      } catch (error) {
        entered.set(handle, found)
        throw error
      }
      return { status: 200, body: { left: { state, handle } } }
    },
  }
}

function routesOf({ token, states, advance }: ControlProtocolOptions, open: ReturnType<typeof statesOf>) {
  const offers = (): Answered => ({
    status: 200,
    body: { protocol: 'touchstone-control/1', states: Object.keys(states), clock: advance !== undefined },
  })

  async function advanceBy(asked: Asked): Promise<Answered> {
    if (!advance) throw new Refusal(404, 'The clock of this server cannot be advanced.')
    const { ms } = await json(asked)
    if (typeof ms !== 'number' || ms < 0) throw new Refusal(400, '`ms` is to be a number, and not negative.')
    const { now, fired } = await advance(ms)
    return { status: 200, body: { now: now.toISOString(), fired } }
  }

  async function routed(asked: Asked): Promise<Answered> {
    const sent = /^Bearer (.*)$/i.exec(asked.authorization)?.[1] ?? ''
    if (!timingSafeEqual(digest(sent), digest(token)))
      throw new Refusal(401, 'The control token is missing or wrong: send it as `Authorization: Bearer`.')
    const [first = '', state = '', handle = '', ...rest] = asked.path.split('/').map(decoded)
    const route = [asked.method, first, state !== '', handle !== '', rest.length].join(' ')
    if (route === 'GET  false false 0') return offers()
    if (route === 'POST states true false 0') return open.enter(state, asked)
    if (route === 'DELETE states true true 0') return open.leave(state, handle)
    if (route === 'POST clock true false 0' && state === 'advance') return advanceBy(asked)
    throw new Refusal(404, `${asked.method} /${asked.path} is not part of the control protocol.`)
  }

  return async (asked: Asked): Promise<Answered> => {
    try {
      return await routed(asked)
    } catch (error) {
      if (error instanceof CannotEnter) return { status: 409, body: { error: error.message } }
      if (error instanceof Refusal) return { status: error.status, body: { error: error.message } }
      throw error
    }
  }
}

/** Throws a RangeError for a token that can be guessed. */
export function controlProtocol(options: ControlProtocolOptions): ControlProtocol {
  const { token, path: base = '/control' } = options
  if (token.length < tokenLeast)
    throw new RangeError(`The control token has ${token.length} characters: give at least ${tokenLeast}.`)
  const open = statesOf(options.states)
  const answer = routesOf(options, open)

  /** Null where a URL is outside of the protocol. */
  function below(url: string): string | null {
    const { pathname } = new URL(url, 'http://localhost')
    return pathname === base ? '' : pathname.startsWith(`${base}/`) ? pathname.slice(base.length + 1) : null
  }

  return {
    async middleware(req, res, next) {
      // Express takes the path off `url` that a router is mounted at.
      const path = below((req as { originalUrl?: string }).originalUrl ?? req.url ?? '/')
      if (path === null && next) return next()
      try {
        send(res, path === null ? nothing : await answer(nodeRequest(req, path)))
      } catch (error) {
        if (next) next(error)
        else send(res, { status: 500, body: { error: String(error) } })
      }
    },
    async fetch(request) {
      const path = below(request.url)
      if (path === null) return null
      const { status, body } = await answer(fetchRequest(request, path))
      return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
    },
    async leaveAll() {
      for (const [handle, { state }] of [...open.entered].toReversed()) await open.leave(state, handle)
    },
  }
}

/** A word of a path; one that is not encoded as it has to be stays, and names nothing. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

const nothing: Answered = { status: 404, body: { error: 'There is nothing at this path.' } }

function send(res: ServerResponse, { status, body }: Answered): void {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  res.end(JSON.stringify(body))
}

const nodeRequest = (req: IncomingMessage & { body?: unknown }, path: string): Asked => ({
  method: req.method ?? 'GET',
  path,
  authorization: req.headers.authorization ?? '',
  contentType: req.headers['content-type'] ?? '',
  // A body parser before it has read the body already.
  body: () => (req.body === undefined ? text(req) : Promise.resolve(JSON.stringify(req.body))),
})

const fetchRequest = ({ method, headers, body }: Request, path: string): Asked => ({
  method,
  path,
  authorization: headers.get('authorization') ?? '',
  contentType: headers.get('content-type') ?? '',
  body: () => (body === null ? Promise.resolve('') : text(body)),
})

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > bodyMost) throw new Refusal(400, `The body is longer than ${bodyMost} bytes.`)
    read.push(chunk)
  }
  return Buffer.concat(read).toString()
}

async function json(asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json *(;|$)/i.test(asked.contentType))
    throw new Refusal(415, 'The body is not said to be JSON: send `Content-Type: application/json`.')
  const sent = await asked.body()
  try {
    const value: unknown = JSON.parse(sent)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // As any other value that is no object.
  }
  throw new Refusal(400, 'The body is to be a JSON object.')
}

/** Members that it does not know are ignored: a later suite may send more. */
function wishFrom(body: Readonly<Record<string, unknown>>): StateWish {
  const wrong = texts.find((name) => body[name] !== undefined && typeof body[name] !== 'string')
  if (wrong !== undefined) throw new Refusal(400, `\`${wrong}\` is to be a text.`)
  const { milliseconds } = body
  if (milliseconds !== undefined && !(typeof milliseconds === 'number' && milliseconds >= 0))
    throw new Refusal(400, '`milliseconds` is to be a number, and not negative.')
  return body
}
