import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { states, type StateId } from '../../spec/index.ts'
import { createSimulator, type Simulator } from '../index.ts'
import { misfits, type ControlSchema } from '../testing/answer.testkit.ts'

let simulator: Simulator
let base: string

beforeAll(async () => {
  simulator = await createSimulator({ seed: 'control', clock: { mode: 'offset', ms: 0 } })
  base = `${simulator.url}/_sim/v1/tenants/${simulator.tenant.id}`
})
afterAll(() => simulator.close())

interface Answer {
  status: number
  body: Record<string, unknown>
}

async function call(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...init,
  })
  const text = await answer.text()
  return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> }
}

const turn = (message: string, key: string, agent = simulator.tenant.agents.plain) =>
  call(
    'POST',
    `${simulator.url}/api/v1/chat/${agent}`,
    { message, idempotency_key: key },
    { authorization: `Bearer ${simulator.tenant.keys.main}` },
  )

describe('every answer has the shape that spec/control.yaml gives it', () => {
  const cases: readonly [
    method: string,
    path: string,
    body: unknown,
    status: number,
    schema: ControlSchema,
  ][] = [
    ['GET', '', undefined, 200, 'TenantState'],
    ['GET', '', undefined, 200, 'ControlProtocol'],
    ['PATCH', '', { interpretations: { 'GAP-IDENTICAL': 'conflict' } }, 200, 'TenantState'],
    ['PATCH', '', { interpretations: { 'GAP-IDENTICAL': 'replay' } }, 200, 'TenantState'],
    ['GET', '/clock', undefined, 200, 'ClockState'],
    ['PUT', '/clock', { mode: 'offset', ms: 5 }, 200, 'ClockState'],
    ['POST', '/clock/advance', { ms: 10 }, 200, 'Advanced'],
    ['POST', '/barriers', { point: 'after-token', n: 2, idempotencyKey: 'nobody' }, 201, 'CreatedBarrier'],
    ['GET', '/barriers', undefined, 200, 'BarrierList'],
    ['GET', '/journal?limit=1', undefined, 200, 'Journal'],
    ['GET', '/journal/wait?count=99&timeoutMs=1', undefined, 200, 'AwaitedJournal'],
    ['GET', '/journal/wait?count=0', undefined, 400, 'ControlErrorBody'],
    ['GET', '/journal?code=NONE', undefined, 400, 'ControlErrorBody'],
    ['GET', '/journal?body=[]', undefined, 400, 'ControlErrorBody'],
    ['GET', '/journal?header=nothing', undefined, 400, 'ControlErrorBody'],
    ['GET', '/barriers/nobody/reached', undefined, 404, 'ControlErrorBody'],
    ['GET', '/snapshot', undefined, 409, 'ControlErrorBody'],
    ['PUT', '/snapshot', { format: 'touchstone-snapshot/1' }, 400, 'ControlErrorBody'],
    ['GET', '/snapshots', undefined, 200, 'SnapshotList'],
    ['POST', '/snapshots/none/restore', undefined, 404, 'ControlErrorBody'],
    ['POST', '/states/workflow.current', {}, 201, 'EnteredState'],
    ['POST', '/states/no.such', {}, 404, 'ControlErrorBody'],
    ['POST', '/states/key.uncertain', {}, 409, 'ControlErrorBody'],
    ['POST', '/clock/advance', { ms: -1 }, 400, 'ControlErrorBody'],
    ['POST', '/clock/advance', { milliseconds: 1 }, 400, 'ControlErrorBody'],
    ['PATCH', '', { faults: ['no-such-fault'] }, 400, 'ControlErrorBody'],
    ['POST', '/clock/advance', { ms: 1e18 }, 400, 'ControlErrorBody'],
    ['PUT', '/clock', { mode: 'offset', ms: 1e18 }, 400, 'ControlErrorBody'],
    ['GET', '/clock', undefined, 200, 'ClockState'],
    ['GET', '/journal?limit=many', undefined, 400, 'ControlErrorBody'],
    ['GET', '/journal?limit=0', undefined, 400, 'ControlErrorBody'],
    ['DELETE', '/states/chat.paused/nobody', undefined, 404, 'ControlErrorBody'],
    ['GET', '/approvals', undefined, 200, 'ApprovalList'],
    ['POST', '/approvals/nobody', { decision: 'approved' }, 404, 'ControlErrorBody'],
    ['POST', '/approvals/nobody', { decision: 'perhaps' }, 400, 'ControlErrorBody'],
    ['GET', '/tasks', undefined, 200, 'TaskList'],
    ['POST', '/tasks/nothing', { step: 'next' }, 404, 'ControlErrorBody'],
    ['PATCH', '', { tasks: { by: 'time', stepMs: 0 } }, 400, 'ControlErrorBody'],
    ['PATCH', '', { tasks: { by: 'reads', reads: 1 } }, 200, 'TenantState'],
    ['POST', '/states/approval.approved', {}, 409, 'ControlErrorBody'],
    ['POST', '/states/task.finished', { taskId: 'nothing' }, 409, 'ControlErrorBody'],
    ['POST', '/situations/uncertain-outcome', {}, 201, 'PreparedSituation'],
    ['POST', '/situations/nothing', {}, 404, 'ControlErrorBody'],
    ['POST', '/situations/webhook-retry', { endpoint: 'http://10.0.0.1/' }, 409, 'ControlErrorBody'],
    ['PUT', '/reply-rules', { replyRules: [{ match: {}, reply: { text: 'Hi.' } }] }, 200, 'AddedItems'],
    ['POST', '/network-faults', { networkFaults: [{ do: { is: 'cut', when: 'after' } }] }, 200, 'AddedItems'],
    ['DELETE', '/network-faults', undefined, 200, 'RemovedItems'],
    [
      'POST',
      '/failures',
      { status: 500, at: 'request', principal: 'main', agentId: 'plain' },
      200,
      'AddedItems',
    ],
    ['POST', '/failures', { status: 404 }, 400, 'ControlErrorBody'],
    ['POST', '/failures', { status: 503, principal: 'nobody' }, 400, 'ControlErrorBody'],
    ['DELETE', '/failures', undefined, 200, 'RemovedItems'],
    ['POST', '/uploads/lapse', { idempotencyKey: 'nothing' }, 409, 'ControlErrorBody'],
    ['POST', '/reset', undefined, 200, 'TenantState'],
  ]

  test.for(cases)('%s %s', async ([method, path, body, status, schema]) => {
    const answer = await call(method, base + path, body)
    expect(answer).toMatchObject({ status })
    expect(misfits(schema, answer.body)).toBe(null)
  })

  test.for(['faults', 'variants', 'interpretations', 'situations'])('the catalogue of %s', async (name) => {
    const { status, body } = await call('GET', `${simulator.url}/_sim/v1/${name}`)
    expect(status).toBe(200)
    expect(Object.values(body)[0]).not.toEqual([])
  })
})

describe('a state', () => {
  const entered = async (state: StateId, about: Record<string, string> = {}) => {
    const { status, body } = await call('POST', `${base}/states/${state}`, about)
    expect(status).toBe(201)
    return body as { handle: string; setting: { agentId?: string; message?: string } }
  }
  const left = (state: StateId, handle: string) => call('DELETE', `${base}/states/${state}/${handle}`)

  /** Something of its own for each state of operations: an approval that waits, a task that goes on. */
  const asked = async (key: string): Promise<Record<string, string>> => {
    const run = async (operation: string, input: object) => {
      const url = `${simulator.url}/api/v1/operation-executions/${operation}`
      const headers = {
        authorization: `Bearer ${simulator.tenant.keys.main}`,
        'idempotency-key': key + operation,
      }
      return (await call('POST', url, { input }, headers)).body
    }
    const held = await run('customers.erase', { customerId: 'cus_1001', reason: 'law' })
    const long = await run('reports.build', { period: '2030-01' })
    return { approvalId: String(held['approval_id']), taskId: String(long['task_id']) }
  }

  test('can be entered and left, every one of the list', async () => {
    const { agents, sessions } = simulator.tenant
    const fields = { name: 'Orders', endpoint_url: 'https://hooks.example.org/', events: ['order.confirmed'] }
    const webhooks = `${simulator.url}/api/agents/${agents.second}/webhooks`
    const webhook = await call('POST', webhooks, fields, { cookie: `session=${sessions.main}` })
    const webhookId = String(webhook.body['id'])
    for (const state of Object.keys(states) as StateId[]) {
      const about = { idempotencyKey: `for-${state}`, webhookId, ...(await asked(state)) }
      const { handle } = await entered(state, about)
      expect({ state, ...(await left(state, handle)) }).toMatchObject({
        status: 200,
        body: { left: { state, handle } },
      })
      expect({ state, ...(await left(state, handle)) }).toMatchObject({ state, status: 404 })
    }
    expect(await turn('all is well again', 'after-all-states')).toMatchObject({ status: 200 })
  })

  const cases: readonly [StateId, Record<string, unknown>, Record<string, unknown>][] = [
    ['chat.paused', { status: 200, body: { response: '' } }, {}],
    ['server.500', { status: 500 }, {}],
    ['server.503', { status: 503 }, {}],
    ['credits.exhausted', { status: 402 }, { principal: 'main' }],
    ['plan.disallows', { status: 403 }, {}],
    ['rate.limited', { status: 429 }, { principal: 'main' }],
  ]
  test.for(cases)('%s shows on the wire while it holds, and no longer', async ([state, shows, about]) => {
    const agentId = simulator.tenant.agents.plain
    const { handle } = await entered(state, { agentId, ...about })
    expect(await turn('hello', `in-${state}`)).toMatchObject(shows)
    await left(state, handle)
    expect(await turn('hello', `after-${state}`)).toMatchObject({
      status: 200,
      body: { response: expect.stringMatching(/./) },
    })
  })
})

const fault = (members: object) => ['POST', '/network-faults', { networkFaults: [members] }] as const
const clock = (setting: object) => ['PUT', '/clock', setting] as const

test.for([
  [...clock({ mode: 'frozen', at: 'noon' }), 'at /at: must match format "date-time"'],
  [...clock({ mode: 'scaled', factor: -1 }), 'at /factor: must be > 0'],
  [...clock({ mode: 'stopped' }), ': `mode` must be one of real, frozen, offset, scaled'],
  [...fault({ do: { is: 'cut' } }), "/do: must have required property 'when'"],
  [...fault({ do: { is: 'cut', when: 'during' } }), '/do/when: give before, in or after.'],
  [...fault({ do: { is: 'answer', status: 200 } }), "/do: must have required property 'body'"],
  [...fault({ do: { is: 'encode', as: { lineEnd: 'x' } } }), String.raw`: give "\n", "\r\n" or "\r".`],
  [...fault({ do: { is: 'wait', ms: 1 }, on: { path: '/api/*' } }), 'has a *: give the beginning'],
  ['POST', '/states/rate.limited', { principle: 'main' }, '`principle`; did you mean "principal"?'],
  ['POST', '/states/key.uncertain', { key: 'k' }, '`key`; known are agentId, idempotencyKey, principal,'],
  ['GET', '/journal?statuss=200', undefined, 'Unknown query parameter `statuss`; did you mean "status"?'],
  ['GET', '/deliveries?webhook=wh_1', undefined, '`webhook`; did you mean "webhookId"?'],
] as const)('%s %s with %j is refused for what is wrong with it', async ([method, path, sent, words]) => {
  const { status, body } = await call(method, base + path, sent)
  expect([status, body['error']]).toEqual([400, expect.stringContaining(words)])
})
