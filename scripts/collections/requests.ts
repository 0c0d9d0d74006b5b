/** The requests of the collections: an operation of the bundled document each, in an order in which they succeed. */
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }

export interface CollectionRequest {
  readonly folder: string
  readonly name: string
  readonly method: string
  /** With variables such as `{{agent}}`, below `{{baseUrl}}`. */
  readonly path: string
  /** What the variable `apiKey` or `session` is sent as. */
  readonly auth: 'apiKey' | 'session'
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | null
  /** Variables that later requests need, by the member of the response that they are set to. */
  readonly saves: Readonly<Record<string, string>>
}

/** Variables that are set by whoever runs a collection. `agent` and `apiKey` are printed by `touchstone simulate`. */
export const variables = {
  baseUrl: 'http://localhost:4010',
  apiKey: '',
  agent: '',
  session: '',
  endpoint: 'https://hooks.example.org/service',
} as const

interface Row extends Partial<Pick<CollectionRequest, 'name' | 'body' | 'saves'>> {
  /** Of the document. */
  readonly operation: string
  /** The operation to execute, as the simulator names it. */
  readonly executes?: string
}

/** Bodies are the examples of the document where none is given. */
const rows: readonly Row[] = [
  { operation: 'sendChatMessage', saves: { conversation: 'conversation_id' } },
  { operation: 'sendChatMessage', name: 'Stream the reply', body: { message: 'Hello', stream: true } },
  {
    operation: 'sendChatMessage',
    name: 'Continue the conversation',
    body: { message: 'And now?', conversation_id: '{{conversation}}' },
  },
  { operation: 'listOperations' },
  {
    operation: 'executeOperation',
    name: 'Start a task',
    executes: 'reports.build',
    body: { input: { period: '2030-01' } },
    saves: { task: 'task_id' },
  },
  { operation: 'readTask' },
  {
    operation: 'executeOperation',
    name: 'Ask for an approval',
    executes: 'customers.erase',
    body: { input: { customerId: 'cus_1001', reason: 'duplicate' } },
    saves: { approval: 'approval_id' },
  },
  { operation: 'readApproval' },
  { operation: 'readBillingUsage' },
  {
    operation: 'createWebhook',
    body: { name: 'Orders', endpoint_url: '{{endpoint}}', events: ['order.confirmed'] },
    saves: { webhook: 'id' },
  },
  { operation: 'listWebhooks' },
  { operation: 'updateWebhook' },
  { operation: 'testWebhook' },
  { operation: 'listWebhookLogs' },
  { operation: 'deleteWebhook' },
]

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: object }>> }
}

const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, unknown>).flatMap(([method, value]) =>
    method === 'parameters' ? [] : [{ path, method, operation: value as Operation }],
  ),
)

function exampleOf({ requestBody }: Operation): object | null {
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const { value } = (example ?? {}) as { value?: Readonly<Record<string, unknown>> }
  if (!value) return null
  // Every run needs a key of its own, which the header has.
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'idempotency_key'))
}

const isKeyed = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ $ref = '' }) => /\/(idempotencyKey|operationKey)$/.test($ref))

function requestOf({ operation: id, name, body, saves = {}, executes = '' }: Row): CollectionRequest {
  const found = operations.find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`spec/openapi.yaml has no operation ${id}`)
  const { path, method, operation } = found
  return {
    folder: operation.tags[0] ?? '',
    name: name ?? operation.summary.replace(/\.$/, ''),
    method: method.toUpperCase(),
    path: path.replace('{operationId}', executes).replaceAll(/\{(\w+)Id\}/g, '{{$1}}'),
    auth: operation.security?.some((one) => 'session' in one) ? 'session' : 'apiKey',
    headers: isKeyed(operation) ? { 'Idempotency-Key': '{{$guid}}' } : {},
    body: body ?? exampleOf(operation),
    saves,
  }
}

/** Operations of the document that no collection has: they are served only on request. */
export const uncollected = operations
  .filter(({ operation: { operationId } }) => !rows.some(({ operation }) => operation === operationId))
  .map(({ operation }) => operation)

export const requests: readonly CollectionRequest[] = rows.map(requestOf)
