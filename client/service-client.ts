/** The methods of the library, each handed on to the file that has it. */
import {
  readApprovalRecord,
  readTaskRecord,
  waitForTask,
  type ApprovalRecord,
  type WaitOptions,
} from './operations/tasks.ts'
import {
  listAt,
  readSubscription,
  readUsage,
  type BillingSubscription,
  type BillingUsage,
  type ListOptions,
} from './operations/billing.ts'
import {
  type ChatTurn,
  turnRequestOf,
  type StreamEvent,
  eventsIn,
  givenEvent,
  type WireEvent,
  type ChatReply,
  chatReplyOf,
  createEventReader,
} from './chat/reply.ts'
import { type JsonObject, isObject, isText } from './json.ts'
import {
  discoverOperations,
  executeOperation,
  type CallOptions,
  type DiscoveredOperation,
  type ExecuteOptions,
  type Operating,
} from './operations/operations.ts'
import { operatingWith, type ServiceClientOptions } from './options/options.ts'
import type { Receipt } from './operations/receipt.ts'
import { uploadFile, type Upload } from './operations/uploads.ts'
import { afterDelay } from './options/timeout.ts'
import { checkSize, serviceErrorOf, type ServiceResponse } from './http/refusal.ts'
import { StreamIncomplete, NoAnswer, type TaskRecord } from './errors.ts'
import { resending, isSuccess, wholeOf, type ServiceRequest, type OpenedResponse } from './http/transport.ts'

const resend = 'This is no reply: send the same request again with the same key.'

/** An object without a text `response`, such as an error that came with a 200, is thrown: nobody is to show it. */
function replyFrom({ status, headers, body }: ServiceResponse, replayHeader: string): ChatReply {
  if (!isObject(body))
    throw new NoAnswer(
      'The reply is no JSON object.',
      'Send the same request again with the same key; if it stays so, ask whoever runs the service.',
    )
  if (!isText(body['response'])) throw serviceErrorOf({ status, headers, body }, resend)
  return chatReplyOf(body, headers.get(replayHeader)?.trim().toLowerCase() === 'true')
}

const failed = 'What the turn came to is not said: send the same request again with the same key.'

/** A service may answer as if no stream had been asked for. */
const isJson = (headers: Headers): boolean =>
  /^\s*application\/(.+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')

/** Up to its end. Time counts while they are waited for, and not while the caller is busy with the last one. */
async function* chunksOf({
  response,
  inactivity,
}: OpenedResponse): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader()
  const cancel = (): void => void reader?.cancel().catch(() => undefined)
  // A `fetch` that was handed in may know nothing of signals.
  inactivity.signal.addEventListener('abort', cancel, { once: true })
  const next = async () => {
    inactivity.renew()
    const read = await reader?.read()
    inactivity.rest()
    inactivity.signal.throwIfAborted()
    return read
  }
  try {
    for (let read = await next(); read && !read.done; read = await next()) yield read.value
  } finally {
    cancel()
  }
}

function incomplete(error: unknown, { inactivity }: OpenedResponse, ask: ServiceRequest): unknown {
  if (ask.signal?.aborted) return ask.signal.reason
  const broke = error instanceof RangeError ? error.message : 'the connection broke'
  const why = inactivity.isOver ? 'nothing came for too long' : broke
  return new StreamIncomplete(`The stream broke off before \`done\`: ${why}.`, resend, error)
}

async function* wireEvents(
  opened: OpenedResponse,
  ask: ServiceRequest,
): AsyncGenerator<WireEvent, void, undefined> {
  const reader = createEventReader()
  try {
    let bytes = 0
    for await (const chunk of chunksOf(opened)) {
      const events = reader.push(chunk).flatMap(eventsIn)
      bytes = events.length > 0 ? 0 : bytes + chunk.length
      checkSize(bytes)
      yield* events
    }
  } catch (error) {
    throw incomplete(error, opened, ask)
  }
}

/** How long the end of a stream may take to come behind `done`, in ms; then the connection is dropped. */
const lastMs = 500

/** Reads what is left, so that the connection can be used again. Nothing of it counts any more. */
async function finish(opened: OpenedResponse, events: AsyncIterator<WireEvent>): Promise<void> {
  const forget = afterDelay(lastMs, () => opened.inactivity.end())
  try {
    for (let next = await events.next(); !next.done;) next = await events.next()
  } catch {
    // The reply is whole, however the connection ends.
  } finally {
    forget()
  }
}

async function* streamed(
  opened: OpenedResponse,
  ask: ServiceRequest,
  replayHeader: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { status, headers } = opened.response
  const events = wireEvents(opened, ask)
  for (let next = await events.next(); !next.done; next = await events.next()) {
    const body = next.value
    if (body.type === 'error') throw serviceErrorOf({ status, headers, body }, failed)
    if (body.type === 'done') {
      yield { ...replyFrom({ status, headers, body }, replayHeader), type: 'done' }
      return finish(opened, events)
    }
    yield givenEvent(body)
  }
  throw new StreamIncomplete('The stream ended before `done`.', resend)
}

/**
 * A thin client of the service: one call, one request. Nothing is ever sent again by itself.
 *
 * Every method rejects with `ServiceError` where the service refuses (its `code` and `status` say why, its `advice` what
 * to do), with `NoAnswer` where no answer came, with `InvalidCall` before anything is sent, and with the reason of the
 * `signal` that was handed in.
 *
 * @example
 * const client = new ServiceClient({ apiKey: process.env.API_KEY, baseUrl: 'https://api.example.com' })
 * const reply = await client.sendMessage({ agentId, message: 'Where is my order?', idempotencyKey: 'order-1001-turn-1' })
 * console.log(reply.response, reply.creditsRemaining)
 */
export class ServiceClient {
  readonly #operating: Operating

  /** Throws `InvalidCall` in a browser page or a mobile app: a key belongs on a server. */
  constructor(options: ServiceClientOptions) {
    this.#operating = operatingWith(options)
  }

  /** One message, one reply. The same turn with the same key is answered from the record and runs nothing. */
  async sendMessage(turn: ChatTurn): Promise<ChatReply> {
    const { transport } = this.#operating
    const ask = turnRequestOf(turn, false)
    const send = async (): Promise<ChatReply> => {
      const answer = await transport.ask(ask)
      if (!isSuccess(answer)) throw serviceErrorOf(answer)
      return replyFrom(answer, transport.replayHeader)
    }
    return resending(send, turn.resendInProgress, turn.signal)
  }

  /**
   * One message, its reply as events; `done` is the last and has the whole reply. Leaving the loop ends the request.
   * Also rejects with `StreamIncomplete` for a stream that ends without `done`: what came of it is no reply.
   *
   * @example
   * for await (const event of client.streamMessage({ agentId, message, idempotencyKey })) {
   *   if (event.type === 'token') process.stdout.write(event.token)
   *   if (event.type === 'done') conversationId = event.conversationId
   * }
   */
  async *streamMessage(turn: ChatTurn): AsyncGenerator<StreamEvent, void, undefined> {
    const { transport } = this.#operating
    const ask = turnRequestOf(turn, true)
    const send = async (): Promise<OpenedResponse> => {
      const opened = await transport.open(ask)
      if (isSuccess(opened.response)) return opened
      throw serviceErrorOf(await wholeOf(opened, ask))
    }
    const opened = await resending(send, turn.resendInProgress, turn.signal)
    try {
      if (isJson(opened.response.headers))
        yield { ...replyFrom(await wholeOf(opened, ask), transport.replayHeader), type: 'done' }
      else yield* streamed(opened, ask, transport.replayHeader)
    } finally {
      opened.inactivity.end()
    }
  }

  async getBillingSubscription(options: CallOptions = {}): Promise<BillingSubscription> {
    return readSubscription(this.#operating, options)
  }

  async getBillingUsage(options: CallOptions = {}): Promise<JsonObject & BillingUsage> {
    return readUsage(this.#operating, options)
  }

  async listBillingPlans(options: CallOptions = {}): Promise<readonly JsonObject[]> {
    return listAt(this.#operating, 'plans', options)
  }

  async listBillingInvoices(options: ListOptions = {}): Promise<readonly JsonObject[]> {
    return listAt(this.#operating, 'invoices', options)
  }

  /** The agents that the key reaches. The contract shows no route for it: `dialect.routes.agents` names one. */
  async listAgents(options: CallOptions = {}): Promise<readonly JsonObject[]> {
    return listAt(this.#operating, 'agents', options)
  }

  /** The operations that the key may use now. */
  async discoverOperations(options: CallOptions = {}): Promise<readonly DiscoveredOperation[]> {
    return discoverOperations(this.#operating, options)
  }

  /**
   * Runs an operation and gives its receipt, also where that says `failed`. An operation that the package does not know
   * is refused before anything is sent; one that it knows is no permission.
   *
   * @example
   * const receipt = await client.executeOperation('customers.import', { customers }, { idempotencyKey })
   * if (receipt.status === 'accepted' && receipt.taskId !== null) await client.waitForTask(receipt.taskId)
   * if (receipt.status === 'failed') console.error(receipt.error.code, receipt.error.resolution)
   */
  async executeOperation(
    operationId: string,
    input: unknown,
    options: ExecuteOptions = {},
  ): Promise<Receipt> {
    return executeOperation(this.#operating, operationId, input, options)
  }

  /** A document. Held for the owner at first; once approved, the same call with the same two keys goes on. */
  async uploadFileSource(file: Upload): Promise<Receipt> {
    return uploadFile(this.#operating, 'document', file)
  }

  /** CSV or Excel. A receipt that is `accepted`, or even `completed`, is not a finished import. */
  async uploadStructuredDataFile(file: Upload): Promise<Receipt> {
    return uploadFile(this.#operating, 'spreadsheet', file)
  }

  async readTask(taskId: string, options: CallOptions = {}): Promise<TaskRecord> {
    return readTaskRecord(this.#operating, taskId, options)
  }

  /**
   * Reads a task until it is completed, failed or cancelled; look at `state` for which. After a 429 it waits as long as
   * the response asks. Also rejects with `TaskNotFinished` when `timeoutMs` is over.
   */
  async waitForTask(taskId: string, options: WaitOptions = {}): Promise<TaskRecord> {
    return waitForTask(this.#operating, taskId, options)
  }

  async readApproval(approvalId: string, options: CallOptions = {}): Promise<ApprovalRecord> {
    return readApprovalRecord(this.#operating, approvalId, options)
  }
}
