/**
 * A client of the service with the library of this package. What it does with each call is yours to copy; what stands
 * at the end is for the judge:
 *
 *   touchstone client --as library --driver -- node library.ts
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceClient, type ChatTurn, type Receipt, type Upload } from '@touchstone-suite/touchstone/client'

/** The service's own word in its identifiers: `acme` where a replay carries X-Acme-Idempotent-Replay. */
const vendor = 'service'

/** The library sends nothing twice by itself; a turn that is still in progress may be asked for again. */
const resendInProgress = { waitMs: 500, times: 3 }
const wait = { intervalMs: 100, timeoutMs: 20_000 }

/** Whether it is finished, and what was read of it: the owner's decision first, then the task until its final state. */
async function seenThrough(client: ServiceClient, ask: () => Promise<Receipt>) {
  let receipt = await ask()
  let approval = {}
  for (let tries = 1; receipt.status === 'pending_approval' && receipt.approvalId !== null; tries++) {
    approval = { approval: await client.readApproval(receipt.approvalId) }
    if (tries === 4) return { finished: false, receipt, ...approval }
    await sleep(wait.intervalMs)
    // The same input with the same keys is answered with what has become of the first.
    receipt = await ask()
  }
  if (receipt.status !== 'accepted' || receipt.taskId === null)
    return { finished: receipt.status === 'completed', receipt, ...approval }
  const task = await client.waitForTask(receipt.taskId, wait)
  return { finished: true, receipt, task, ...approval }
}

type Seen = Awaited<ReturnType<typeof seenThrough>>

// From here on: tasks of `touchstone client`, and a line for whatever the application saw.

type Task =
  | ({ do: 'chat' | 'stream' } & Omit<ChatTurn, 'agentId'>)
  | { do: 'billing'; read: 'subscription' | 'usage' | 'plans' | 'invoices'; limit?: number }
  | { do: 'discover' }
  | { do: 'execute'; operation: string; input: unknown; idempotencyKey?: string }
  | ({ do: 'upload'; kind: 'document' | 'spreadsheet'; content: string } & Omit<Upload, 'bytes'>)

const report = (line: object): void => console.log(`touchstone ${JSON.stringify(line)}`)

function reportSeen({ finished, ...seen }: Seen): void {
  if (seen.receipt.status === 'failed') report({ saw: 'error', error: seen.receipt.error })
  else report({ saw: finished ? 'finished' : 'unfinished', ...seen })
}

type Read = (client: ServiceClient, limit?: number) => Promise<unknown>
const billing: Readonly<Record<(Task & { do: 'billing' })['read'], Read>> = {
  subscription: (client) => client.getBillingSubscription(),
  usage: (client) => client.getBillingUsage(),
  plans: (client) => client.listBillingPlans(),
  invoices: (client, limit) => client.listBillingInvoices({ limit }),
}

async function stream(client: ServiceClient, turn: ChatTurn): Promise<void> {
  for await (const event of client.streamMessage(turn)) {
    report({ saw: 'event', event })
    if (event.type === 'done') report({ saw: 'reply', reply: event })
  }
}

async function perform(client: ServiceClient, agentId: string, task: Task): Promise<void> {
  switch (task.do) {
    case 'chat':
      return report({ saw: 'reply', reply: await client.sendMessage({ agentId, resendInProgress, ...task }) })
    case 'stream':
      return stream(client, { agentId, resendInProgress, ...task })
    case 'billing':
      return report({ saw: 'result', result: await billing[task.read](client, task.limit) })
    case 'discover':
      return report({ saw: 'result', result: await client.discoverOperations() })
    case 'execute': {
      const { operation, input, idempotencyKey } = task
      const options = { idempotencyKey, resendInProgress }
      return reportSeen(await seenThrough(client, () => client.executeOperation(operation, input, options)))
    }
    case 'upload': {
      const file = { ...task, bytes: Buffer.from(task.content, 'base64') }
      const isDocument = task.kind === 'document'
      const ask = () => (isDocument ? client.uploadFileSource(file) : client.uploadStructuredDataFile(file))
      return reportSeen(await seenThrough(client, ask))
    }
  }
}

/** One for an address and a key, as any application has it. */
const kept = new Map<string, ServiceClient>()
function clientOf(baseUrl: string, apiKey: string): ServiceClient {
  const name = JSON.stringify([baseUrl, apiKey])
  const client = kept.get(name) ?? new ServiceClient({ baseUrl, apiKey, vendor })
  kept.set(name, client)
  return client
}

for await (const line of createInterface(process.stdin)) {
  const { id, baseUrl, apiKey, agent, task } = JSON.parse(line)
  try {
    await perform(clientOf(baseUrl, apiKey), agent, task)
  } catch (error) {
    // Its members are its code and status, how long to wait, and what to do.
    const { name, message } = error as Error
    report({ saw: 'error', error: Object.assign({ name, message }, error) })
  }
  report({ end: id })
}
