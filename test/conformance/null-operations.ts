/** Operations for servers that do not have them: all that a target file can declare, and a catalogue that does nothing. */
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Dialect, UploadWay } from '../../suites/config/dialect.ts'
import type { OperationFixture } from '../../suites/config/target.ts'

const operation = (
  name: string,
  receipt: OperationFixture['receipt'],
  more: Partial<OperationFixture> = {},
): OperationFixture => ({ name, id: `null.${name}`, input: {}, receipt, ...more })

const write = { write: true, input: { text: 'one' }, fresh: ['/text'] } as const
const counted = { ...write, effect: { operation: 'list', count: '/data/count' } } as const

export const nullFixtures: readonly OperationFixture[] = [
  operation('list', 'completed'),
  operation('find', 'completed', { input: { text: 'one' } }),
  { ...operation('inspect', 'completed', { input: { agentId: '{{agentId}}' } }), id: 'agent_setup.inspect' },
  operation('note', 'completed', counted),
  operation('sketch', 'completed', write),
  operation('build', 'accepted', write),
  operation('erase', 'pending_approval', counted),
  operation('refuse', 'failed'),
  operation('doubt', 'failed', counted),
]

function upload(kind: string): UploadWay {
  const path = `/api/v1/uploads/${kind}`
  return {
    prepare: { path, fileName: '/fileName', id: '/data/uploadId' },
    finalize: { path: `${path}/{uploadId}`, bytes: '' },
    effect: { operation: 'list', count: '/data/files' },
  }
}

export const nullDialect: Dialect = {
  execution: { input: '/input', keyHeader: 'Idempotency-Key' },
  discovery: { list: '/operations', id: '/id', schema: '/inputSchema' },
  receipt: { taskId: '/task_id', approvalId: '/approval_id' },
  approval: { state: '/state' },
  routes: {
    subscription: '/api/v1/billing/subscription',
    plans: '/api/v1/billing/plans',
    invoices: '/api/v1/billing/invoices',
    agents: '/api/v1/agents',
  },
  design: { draft: 'sketch', live: '/data/live' },
  uploads: { document: { ...upload('documents'), lapsesAfterSeconds: 60 }, spreadsheet: upload('sheets') },
}

const schema = { type: 'object', properties: { text: { type: 'string', minLength: 1, maxLength: 40 } } }

const task = { task_id: 't-0123456789abcdef', approval_id: 'a-0123456789abcdef' }
const receipts: Readonly<Record<OperationFixture['receipt'], object>> = {
  completed: { status: 'completed', data: { count: 3, files: 3, live: { tone: 'plain' }, uploadId: 'u-1' } },
  accepted: { status: 'accepted', ...task },
  pending_approval: { status: 'pending_approval', ...task },
  failed: { status: 'failed', error: { code: 'OUTCOME_UNCERTAIN', resolution: 'Look first.' } },
}

const shown: Readonly<Record<string, object>> = {
  operations: { operations: nullFixtures.map(({ id }) => ({ id, inputSchema: schema })) },
  tasks: { state: 'completed' },
  approvals: { state: 'pending' },
  uploads: receipts.completed,
}

/** Lists what is declared, and answers each execution with the receipt that is expected, having done nothing. */
export const idleCatalogue: RequestListener = async (request, response) => {
  await text(request)
  const [, , , route = '', id = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  const expected = nullFixtures.find((fixture) => fixture.id === decodeURIComponent(id))
  const body = route === 'operation-executions' ? receipts[expected?.receipt ?? 'completed'] : shown[route]
  response
    .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify(body ?? { error: 'nothing here' }))
}
