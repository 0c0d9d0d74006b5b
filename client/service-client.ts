/** The methods of the library, each handed on to the file that has it. */
import { type TaskRecord } from './operations/task-record.ts'
import {
  billingMethods,
  type BillingSubscription,
  type BillingUsage,
  type ListOptions,
} from './operations/billing.ts'
import type { ChatTurn } from './chat/chat-turn.ts'
import { sendMessage } from './chat/chat.ts'
import type { StreamEvent } from './chat/events.ts'
import type { JsonObject } from './json.ts'
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
import type { ChatReply } from './chat/reply.ts'
import { streamMessage } from './chat/stream.ts'
import {
  readApprovalRecord,
  readTaskRecord,
  waitForTask,
  type ApprovalRecord,
  type WaitOptions,
} from './operations/tasks.ts'
import { uploadFile, type Upload } from './operations/uploads.ts'

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
    return sendMessage(this.#operating.transport, turn)
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
  streamMessage(turn: ChatTurn): AsyncGenerator<StreamEvent, void, undefined> {
    return streamMessage(this.#operating.transport, turn)
  }

  async getBillingSubscription(options: CallOptions = {}): Promise<BillingSubscription> {
    return billingMethods.subscription(this.#operating, options)
  }

  async getBillingUsage(options: CallOptions = {}): Promise<JsonObject & BillingUsage> {
    return billingMethods.usage(this.#operating, options)
  }

  async listBillingPlans(options: CallOptions = {}): Promise<readonly JsonObject[]> {
    return billingMethods.list(this.#operating, 'plans', options)
  }

  async listBillingInvoices(options: ListOptions = {}): Promise<readonly JsonObject[]> {
    return billingMethods.list(this.#operating, 'invoices', options)
  }

  /** The agents that the key reaches. The contract shows no route for it: `dialect.routes.agents` names one. */
  async listAgents(options: CallOptions = {}): Promise<readonly JsonObject[]> {
    return billingMethods.list(this.#operating, 'agents', options)
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
    const { transport, dialect } = this.#operating
    return readTaskRecord(transport, dialect, taskId, options)
  }

  /**
   * Reads a task until it is completed, failed or cancelled; look at `state` for which. After a 429 it waits as long as
   * the response asks. Also rejects with `TaskNotFinished` when `timeoutMs` is over.
   */
  async waitForTask(taskId: string, options: WaitOptions = {}): Promise<TaskRecord> {
    const { transport, dialect } = this.#operating
    return waitForTask(transport, dialect, taskId, options)
  }

  async readApproval(approvalId: string, options: CallOptions = {}): Promise<ApprovalRecord> {
    const { transport, dialect } = this.#operating
    return readApprovalRecord(transport, dialect, approvalId, options)
  }
}
