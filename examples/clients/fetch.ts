/**
 * A client of the service with `fetch` alone, to be copied into any program: chat, streams, reads, operations with
 * their tasks and approvals, uploads.
 *
 * `touchstone client -- node examples/clients/fetch.ts` starts it anew for each task and hands the task over in the
 * environment; with `--driver` it is started once and gets a task a line. What is only for that stands at the end.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** The service's own word, as the names of its variables begin: `ACME` for ACME_BASE_URL. */
const prefix = 'SERVICE'

type Json = null | boolean | number | string | readonly Json[] | Members
type Members = { readonly [member: string]: Json | undefined }

interface Service {
  baseUrl: string
  apiKey: string
  agent: string
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: Members
  /** Minted once for each thing to be done, kept with it, and sent again with it. */
  key?: string | undefined
}

const mostTries = 4
const pauseMs = 500
/** The longest wait before a retry; beyond it the error is reported. */
const longestWaitMs = 4000
const mostReads = 40

class Failure extends Error {
  readonly details: Members
  constructor(details: Members) {
    super(`the service said ${JSON.stringify(details)}`)
    this.details = details
  }
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

function parsed(text: string): Members {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A refusal of chat is flat and names its code in some text; a receipt that failed has an object `error`. */
function failureOf(status: number, body: Members): Failure {
  const receipt = membersOf(body.error)
  const seconds = body.retry_after_seconds
  const said = Object.values(body).find(
    (value) => typeof value === 'string' && /^[A-Z]+(_[A-Z]+)+$/.test(value),
  )
  return new Failure({
    status,
    code: receipt.code ?? said ?? null,
    ...(receipt.resolution === undefined ? {} : { resolution: receipt.resolution }),
    ...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),
    body,
  })
}

/** How long to wait before the same request goes out again; null where it must not. */
function pauseBefore(error: unknown, { method, key }: Call): number | null {
  // The connection broke, so nobody knows what became of it: only what can do no harm twice is sent again.
  if (!(error instanceof Failure)) return method === 'GET' || key !== undefined ? pauseMs : null
  const { status, code, retryAfterSeconds } = error.details
  if (status === 409 && code === 'REQUEST_IN_PROGRESS') return pauseMs
  if (status === 503) return pauseMs
  if (status !== 429) return null
  const waitMs = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 2 * pauseMs
  return waitMs <= longestWaitMs ? waitMs : null
}

/** The same bytes and the same key each time. */
async function send<T>(service: Service, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
  const headers = {
    authorization: `Bearer ${service.apiKey}`,
    ...(call.body ? { 'content-type': 'application/json' } : {}),
    ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
  }
  const body = call.body ? JSON.stringify(call.body) : null
  const baseUrl = service.baseUrl.replace(/\/$/, '')
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(baseUrl + call.path, { method: call.method, headers, body })
      if (!response.ok) throw failureOf(response.status, parsed(await response.text()))
      return await read(response)
    } catch (error) {
      const waitMs = tries < mostTries ? pauseBefore(error, call) : null
      if (waitMs === null) throw error
      await sleep(waitMs)
    }
  }
}

const json = async (response: Response): Promise<Members> => membersOf(await response.json())

/** Lines of a body. Characters and line ends may be cut by a chunk; a line counts once its end has come. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let wasReturn = false
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    rest += wasReturn && text.startsWith('\n') ? text.slice(1) : text
    wasReturn = text.endsWith('\r')
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Events up to `done`. Each data line is an event; comments and other fields are passed over. */
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Members> {
  for await (const line of linesOf(body)) {
    if (!line.startsWith('data:')) continue
    const event = membersOf(JSON.parse(line.slice(5)))
    yield event
    if (event.type === 'done') return
    if (event.type === 'error') throw new Failure({ code: null, error: event.error ?? null })
  }
  throw new Failure({ code: null, error: 'the stream ended before it was done' })
}

interface Turn {
  message: string
  idempotencyKey?: string
  conversationId?: string
  /** As it was copied from a presentation. */
  interaction?: Json
}

function turn({ agent }: Service, { message, idempotencyKey, conversationId, interaction }: Turn): Call {
  if (idempotencyKey === undefined) throw new Failure({ code: 'IDEMPOTENCY_KEY_REQUIRED' })
  const body = { message, conversation_id: conversationId, interaction }
  return { method: 'POST', path: `/api/v1/chat/${encodeURIComponent(agent)}`, key: idempotencyKey, body }
}

export const chat = (service: Service, asked: Turn): Promise<Members> =>
  send(service, turn(service, asked), json)

/** Events as they come, the last of them `done`. Broken off, it throws: ask again with the same key. */
export async function* stream(service: Service, asked: Turn): AsyncGenerator<Members> {
  const call = turn(service, asked)
  const response = await send(
    service,
    { ...call, body: { ...call.body, stream: true } },
    async (response) => response,
  )
  const type = response.headers.get('content-type') ?? ''
  if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)
  else yield { ...(await json(response)), type: 'done' }
}

/** What has become of a write. `task` and `approval` as they were last read. */
interface Outcome {
  finished: boolean
  receipt: Members
  task?: Members
  approval?: Members
}

const final: readonly unknown[] = ['completed', 'failed', 'cancelled']

/** Reads the approval of what is held, and asks again with the same key; reads a task until its final state. */
async function seenThrough(service: Service, ask: () => Promise<Members>): Promise<Outcome> {
  const read = (path: string, id: Json | undefined): Promise<Members> =>
    send(service, { method: 'GET', path: `/api/v1/${path}/${encodeURIComponent(id as string)}` }, json)
  let receipt = await ask()
  let approval: Members | undefined
  for (let tries = 1; receipt.status === 'pending_approval'; tries++) {
    approval = await read('approvals', receipt.approval_id)
    if (tries === mostTries) return { finished: false, receipt, approval }
    await sleep(pauseMs / 5)
    receipt = await ask()
  }
  const held = approval ? { approval } : {}
  if (receipt.status === 'failed') throw failureOf(200, receipt)
  if (receipt.status !== 'accepted') return { finished: true, receipt, ...held }
  let task = await read('tasks', receipt.task_id)
  for (let reads = 1; !final.includes(task.state) && reads < mostReads; reads++) {
    await sleep(pauseMs / 5)
    task = await read('tasks', receipt.task_id)
  }
  return { finished: final.includes(task.state), receipt, task, ...held }
}

/** An operation that writes has a key. */
export function execute(service: Service, operation: string, input: Json, key?: string): Promise<Outcome> {
  const path = `/api/v1/operation-executions/${encodeURIComponent(operation)}`
  return seenThrough(service, () => send(service, { method: 'POST', path, body: { input }, key }, json))
}

interface Upload {
  kind: 'document' | 'spreadsheet'
  fileName: string
  contentType: string
  /** In base64. */
  content: string
  prepareKey: string
  finalizeKey: string
}

/** Both steps with their own keys, the same two whenever it is tried again. */
export function upload(service: Service, file: Upload): Promise<Outcome> {
  const { fileName, contentType, content, prepareKey, finalizeKey } = file
  const step = (name: string, key: string, body: Members): Promise<Members> =>
    send(service, { method: 'POST', path: `/api/v1/uploads/${file.kind}s/${name}`, key, body }, json)
  return seenThrough(service, async () => {
    const size = Buffer.from(content, 'base64').length
    const prepared = await step('prepare', prepareKey, { fileName, contentType, size })
    if (prepared.status !== 'completed') return prepared
    const { uploadId } = membersOf(prepared.data)
    return step('finalize', finalizeKey, { uploadId, bytes: content })
  })
}

/** `subscription`, `usage`, `plans` or `invoices`. */
export function billing(service: Service, read: string, limit?: number): Promise<Members> {
  const query = limit === undefined ? '' : `?limit=${limit}`
  return send(service, { method: 'GET', path: `/api/v1/billing/${read}${query}` }, json)
}

export const discover = (service: Service): Promise<Members> =>
  send(service, { method: 'GET', path: '/api/v1/operations' }, json)

// From here on: tasks of `touchstone client`, and a line for whatever the application saw.

type Task =
  | ({ do: 'chat' | 'stream' } & Turn)
  | { do: 'billing'; read: string; limit?: number }
  | { do: 'discover' }
  | { do: 'execute'; operation: string; input: Json; idempotencyKey?: string }
  | ({ do: 'upload' } & Upload)

const report = (line: object): void => console.log(`touchstone ${JSON.stringify(line)}`)

function reportOutcome({ finished, ...outcome }: Outcome): void {
  report({ saw: finished ? 'finished' : 'unfinished', ...outcome })
}

async function perform(service: Service, task: Task): Promise<void> {
  switch (task.do) {
    case 'chat':
      return report({ saw: 'reply', reply: await chat(service, task) })
    case 'stream':
      for await (const event of stream(service, task)) {
        report({ saw: 'event', event })
        if (event.type === 'done') report({ saw: 'reply', reply: event })
      }
      return
    case 'billing':
      return report({ saw: 'result', result: await billing(service, task.read, task.limit) })
    case 'discover':
      return report({ saw: 'result', result: await discover(service) })
    case 'execute':
      return reportOutcome(await execute(service, task.operation, task.input, task.idempotencyKey))
    case 'upload':
      return reportOutcome(await upload(service, task))
  }
}

async function act(service: Service, task: Task): Promise<void> {
  try {
    await perform(service, task)
  } catch (error) {
    report({ saw: 'error', error: error instanceof Failure ? error.details : { message: String(error) } })
  }
}

const { TOUCHSTONE_TASK, TOUCHSTONE_AGENT: agent = '', ...env } = process.env
if (TOUCHSTONE_TASK !== undefined) {
  const { [`${prefix}_BASE_URL`]: baseUrl = '', [`${prefix}_API_KEY`]: apiKey = '' } = env
  await act({ baseUrl, apiKey, agent }, JSON.parse(TOUCHSTONE_TASK) as Task)
} else {
  for await (const line of createInterface(process.stdin)) {
    const { id, task, ...service } = JSON.parse(line) as Service & { id: number; task: Task }
    await act(service, task)
    report({ end: id })
  }
}
