/** The library against the simulator: every situation of the contract, every conforming encoding of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ServiceClient,
  ServiceError,
  StreamIncomplete,
  embeddedCatalogue,
  type ChatReply,
  type ChatTurn,
  type Dialect,
  type DoneEvent,
  type Partly,
  type Receipt,
  type StreamEvent,
  type Upload,
} from '../../client/index.ts'
import { createSimulator, type Simulator, type Tenant, type TenantOptions } from '../../simulator/index.ts'
import { answerVariants } from '../../simulator/variants/answer.ts'
import { followUpVariants } from '../../simulator/variants/follow-up.ts'
import { operationVariants } from '../../simulator/variants/operations.ts'
import { streamVariants } from '../../simulator/variants/stream.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator()
})
afterAll(() => simulator.close())

interface TenantState {
  tenant: Tenant
  client: ServiceClient
  /** With another of its keys, or another dialect. */
  as: (key: keyof Tenant['keys'], dialect?: Partly<Dialect>) => ServiceClient
  turn: (agent: keyof Tenant['agents'], more?: object) => ChatTurn
}

const idsOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

let turns = 0

function tenantState(options: TenantOptions = {}): TenantState {
  const tenant = simulator.createTenant({ unlimited: true, ...options })
  const as: TenantState['as'] = (key, dialect) =>
    new ServiceClient({ apiKey: tenant.keys[key], baseUrl: simulator.url, dialect })
  return {
    tenant,
    client: as('main'),
    as,
    turn: (agent, more = {}) => ({
      agentId: tenant.agents[agent],
      message: 'é世🙂',
      idempotencyKey: `turn-${++turns}`,
      ...more,
    }),
  }
}

async function collected(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

const tokensOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'token' ? event.token : '')).join('')

function doneOf(events: readonly StreamEvent[]): DoneEvent {
  const last = events.at(-1)
  if (last?.type !== 'done') throw new Error(`The last event is ${last?.type}.`)
  return last
}

/** The first button of a presentation, as the simulator has them. */
function buttonOf({ presentation }: ChatReply): object {
  const { label: _, ...interaction } = (presentation as { buttons: { label: string }[] }).buttons[0] ?? {
    label: '',
  }
  return interaction
}

const refusedWith = (error: object) => (call: Promise<unknown>) => expect(call).rejects.toMatchObject(error)

describe('chat', () => {
  test('LIB-CHAT, LIB-CAMEL-CASE, LIB-CONVERSATION, LIB-SENT-AGAIN: goes on with a conversation, and replays a turn that is sent again', async () => {
    const { client, turn } = tenantState()
    const first = await client.sendMessage(turn('plain'))
    const again = turn('plain', { conversationId: first.conversationId })
    const second = await client.sendMessage(again)
    expect(second).toMatchObject({ conversationId: first.conversationId, replayed: false })
    expect(second.creditsRemaining).toBe(first.creditsRemaining - second.creditsUsed)
    expect(await client.sendMessage(again)).toEqual({ ...second, replayed: true })
  })

  test('LIB-INTERACTION, LIB-PRESENTATION, LIB-STALE: a button is pressed, and is stale when it was superseded', async () => {
    const { client, turn } = tenantState()
    const menu = await client.sendMessage(turn('workflow'))
    const { conversationId } = menu
    const interaction = buttonOf(menu)
    const next = await client.sendMessage(turn('workflow', { conversationId, interaction }))
    expect(next.presentation).toMatchObject({ version: 1 })
    const pressed = turn('workflow', { conversationId, interaction })
    await refusedWith({ code: 'WORKFLOW_INTERACTION_STALE' })(client.sendMessage(pressed))
  })

  test('a paused agent stores a message, and refuses a button', async () => {
    const { client, turn, tenant } = tenantState()
    const menu = await client.sendMessage(turn('workflow'))
    tenant.pause('workflow')
    const { conversationId } = menu
    const stored = await client.sendMessage(turn('workflow', { conversationId }))
    expect(stored).toMatchObject({
      response: '',
      customerMessage: { ai_reply: expect.anything() as unknown },
    })
    const pressed = turn('workflow', { conversationId, interaction: buttonOf(menu) })
    await refusedWith({ code: 'AI_REPLY_PAUSED' })(client.sendMessage(pressed))
  })

  test('LIB-IN-PROGRESS: a turn that is in progress is waited for when that is asked for', async () => {
    const { client, turn, tenant } = tenantState()
    const same = turn('plain')
    const barrier = tenant.barriers.hold({ at: 'before-commit' })
    const first = client.sendMessage(same)
    await barrier.reached()
    await refusedWith({ code: 'REQUEST_IN_PROGRESS' })(client.sendMessage(same))
    const patient = client.sendMessage({ ...same, resendInProgress: { waitMs: 10, times: 1_000 } })
    barrier.release()
    expect(await patient).toEqual({ ...(await first), replayed: true })
  })

  const interpretations = ['error', 'code', 'sentence', 'error-code'] as const

  test.for(interpretations)(
    'LIB-REFUSED, LIB-UNCERTAIN, LIB-RATE-SECONDS: every code is found in the layout %s',
    async (layout) => {
      const { client, turn, tenant, as } = tenantState({
        interpretations: { 'GAP-ERROR-CODE-MEMBER': layout },
        unlimited: false,
      })
      const used = turn('plain')
      await client.sendMessage(used)
      await refusedWith({ code: 'IDEMPOTENCY_CONFLICT' })(client.sendMessage({ ...used, message: 'other' }))
      const lost = turn('plain')
      tenant.markUncertain({ key: lost.idempotencyKey })
      await refusedWith({ code: 'OUTCOME_UNCERTAIN', status: 409 })(client.sendMessage(lost))
      await refusedWith({ code: 'INSUFFICIENT_CREDITS', status: 402, creditsRemaining: 0 })(
        as('broke').sendMessage(turn('plain')),
      )
      await refusedWith({ status: 401 })(as('revoked').sendMessage(turn('plain')))
      await refusedWith({ status: 403 })(as('noChat').sendMessage(turn('plain')))
      await refusedWith({ status: 404 })(client.sendMessage({ ...turn('plain'), agentId: 'nobody' }))
      tenant.exhaustRate()
      await refusedWith({ status: 429, retryAfterSeconds: expect.any(Number) })(
        client.sendMessage(turn('plain')),
      )
      expect(tenant.credits(tenant.keys.main)).toBe(999_999)
    },
  )

  test.for(idsOf({ ...streamVariants, ...answerVariants }))(
    'LIB-STREAM, LIB-UNKNOWN-MEMBERS: a turn and a stream come through where %s',
    async (variant) => {
      const { client, turn } = tenantState({ variants: [variant] })
      const asked = turn('plain')
      const reply = await client.sendMessage(asked)
      expect(reply).toMatchObject({ response: 'You said: é世🙂', replayed: false })
      const replay = await client.sendMessage(asked)
      expect(replay).toMatchObject({ conversationId: reply.conversationId, replayed: true })
      const streamed = turn('tools')
      const events = await collected(client.streamMessage(streamed))
      const done = doneOf(events)
      expect(done.response).toBe('I looked it up: é世🙂')
      expect(['', done.response]).toContain(tokensOf(events))
      expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
      const again = await collected(client.streamMessage(streamed))
      expect(doneOf(again)).toMatchObject({ conversationId: done.conversationId, replayed: true })
    },
  )
})

describe('a stream', () => {
  test('LIB-STREAM, LIB-STREAM-CAMEL-CASE: gives tools, gates, tokens and the end', async () => {
    const { client, turn } = tenantState()
    const tools = await collected(client.streamMessage(turn('tools')))
    expect(tools[0]).toEqual({ type: 'action_start', actionName: 'look_up' })
    expect(tools[1]).toEqual({ type: 'action_complete', actionName: 'look_up', success: true })
    expect(doneOf(tools)).toMatchObject({ creditsUsed: 1, conversationId: expect.any(String) as string })
    const gate = await collected(client.streamMessage(turn('gate')))
    expect(gate).toContainEqual({
      type: 'gate_triggered',
      decision: 'replace',
      reason: expect.any(String) as string,
    })
  })

  test('LIB-STREAM-ERROR: that fails is thrown after what came of it', async () => {
    const { client, turn } = tenantState()
    const stream = client.streamMessage(turn('failing'))
    expect((await stream.next()).value).toMatchObject({ type: 'token' })
    await expect(collected(stream)).rejects.toThrow(ServiceError)
  })

  test('LIB-STREAM-CUT: that dies is incomplete, and the same turn again returns its outcome', async () => {
    const { client, turn, tenant } = tenantState()
    tenant.barriers.crash({ at: 'after-token:2', times: 1 })
    const asked = turn('slow')
    await expect(collected(client.streamMessage(asked))).rejects.toThrow(StreamIncomplete)
    await refusedWith({ code: 'OUTCOME_UNCERTAIN' })(collected(client.streamMessage(asked)))
  })

  test.for([
    'done-twice',
    'token-after-done',
    'socket-dropped-after-done',
    'json-over-lines',
    'data-without-blank',
  ] as const)('of a service with the fault %s ends with one done', async (fault) => {
    const { client, turn } = tenantState({ faults: [fault] })
    const events = await collected(client.streamMessage(turn('plain')))
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
    expect(doneOf(events).response).toBe('You said: é世🙂')
  })

  test('LIB-STREAM-CUT: of a service that leaves done out is incomplete', async () => {
    const { client, turn } = tenantState({ faults: ['done-missing-after-tool'] })
    await expect(collected(client.streamMessage(turn('tools')))).rejects.toThrow(StreamIncomplete)
  })
})

const quick = { intervalMs: 1, timeoutMs: 30_000 }
const customers = { customers: [{ name: 'Ida', email: 'ida@example.com' }] }
const erasure = { customerId: 'cus_1001', reason: 'duplicate' }

const taskOf = (receipt: Receipt): string =>
  receipt.status === 'accepted' ? (receipt.taskId ?? '') : `none, as it is ${receipt.status}`

const refund = { paymentId: 'pay_1234', amountCents: 250, currency: 'EUR' }

/** What comes of every kind of operation, and of what its receipt leads to. */
async function operated({ client, tenant }: Pick<TenantState, 'client' | 'tenant'>): Promise<object> {
  const ids = (await client.discoverOperations()).map(({ id }) => id)
  const listed = await client.executeOperation('customers.list', {})
  const once = { idempotencyKey: 'import' }
  const accepted = await client.executeOperation('customers.import', customers, once)
  const again = await client.executeOperation('customers.import', customers, once)
  const task = await client.waitForTask(taskOf(accepted), quick)
  const held = await client.executeOperation('customers.erase', erasure, { idempotencyKey: 'erase' })
  const readState = async () => (await client.readApproval(held.approvalId ?? '')).state
  const waiting = await readState()
  tenant.decide(tenant.approvals()[0]?.id ?? '', 'approved')
  await expect.poll(readState).not.toBe(waiting)
  const failed = await client.executeOperation('payments.refund', refund, { idempotencyKey: 'refund' })
  return {
    known: Object.keys(embeddedCatalogue.operations).filter((id) => ids.includes(id)).length > 20,
    statuses: [listed, accepted, held, failed].map(({ status }) => status),
    data: listed.status === 'completed' ? listed.data : null,
    sameTask: taskOf(again) === taskOf(accepted),
    task: task.state,
    code: failed.status === 'failed' ? failed.error.code : null,
  }
}

const wentWell = {
  known: true,
  statuses: ['completed', 'accepted', 'pending_approval', 'failed'],
  data: expect.objectContaining({ count: 8 }) as object,
  sameTask: true,
  task: 'completed',
  code: 'OUTCOME_UNCERTAIN',
}

describe('operations', () => {
  const { 'task-slow': _, ...inTime } = followUpVariants
  const names = idsOf({ ...operationVariants, ...inTime })

  const switched = ['nothing', ...names, 'discovery-in-pages'] as const

  test.for(switched)(
    'LIB-OPERATIONS, LIB-WRITE-KEY, LIB-TASK-WAIT, LIB-APPROVAL, LIB-FAILED: come to their end with %s switched on',
    async (variant) => {
      const variants = variant === 'nothing' ? [] : [variant]
      expect(await operated(tenantState({ variants }))).toEqual(wentWell)
    },
  )

  const shapes = [
    { 'GAP-RECEIPT-SHAPE': 'nested' },
    { 'GAP-RECEIPT-STATUS': 'always' },
    { 'GAP-DISCOVERY-SHAPE': 'bare' },
    { 'GAP-TASK-FIELDS': 'receipt' },
    { 'GAP-APPROVAL-FIELDS': 'receipt' },
  ] as const

  test.for(shapes)(
    'LIB-OPERATIONS: come to their end as the default dialect has it under %o',
    async (interpretations) => {
      expect(await operated(tenantState({ interpretations }))).toEqual(wentWell)
    },
  )

  const spoken = [
    [{ 'GAP-EXECUTION-BODY': 'bare' }, { execution: { input: '' } }],
    [{ 'GAP-OPERATION-KEY': 'body' }, { execution: { key: '/idempotency_key' } }],
  ] as const

  test.for(spoken)(
    'LIB-OPERATIONS: come to their end under %o with the dialect %o',
    async ([interpretations, dialect]) => {
      const { as, tenant } = tenantState({ interpretations })
      expect(await operated({ client: as('main', dialect), tenant })).toEqual(wentWell)
    },
  )

  test.for(['flat', 'receipt'] as const)(
    'LIB-NOT-PERMITTED, LIB-REFUSED: what the key may not do stays refused, laid out as %s',
    async (layout) => {
      const { as, tenant } = tenantState({ interpretations: { 'GAP-OPERATION-REFUSAL': layout } })
      const agentId = tenant.agents.plain
      const call = as('noBilling').executeOperation('agent_setup.inspect', { agentId })
      await refusedWith({ name: 'ServiceError', status: 403, code: 'FORBIDDEN' })(call)
      expect(await as('main').executeOperation('agent_setup.inspect', { agentId })).toMatchObject({
        status: 'completed',
      })
    },
  )

  test.for(['failed', 'cancelled'])('LIB-TASK-WAIT: a task that is %s is at its end', async (state) => {
    const { client } = tenantState()
    const [id, input] =
      state === 'failed'
        ? ['orders.archive', { before: '2029-01-01' }]
        : ['reports.build', { period: '2029-12' }]
    const receipt = await client.executeOperation(id, input, { idempotencyKey: 'k' })
    const taskId = taskOf(receipt)
    expect(await client.waitForTask(taskId, quick)).toMatchObject({ state })
  })

  test('LIB-TASK-NOT-DONE: a task that needs input is waited for until the owner gave it', async () => {
    const { client, tenant } = tenantState()
    const input = { agentId: tenant.agents.plain, provider: 'google' }
    const receipt = await client.executeOperation('calendar.connect', input, { idempotencyKey: 'k' })
    const taskId = taskOf(receipt)
    let asked = 0
    const onRead = ({ state }: { state: string }): void => {
      if (state === 'input_required' && ++asked === 3) tenant.stepTask(taskId, 'input')
    }
    expect(await client.waitForTask(taskId, { ...quick, onRead })).toMatchObject({ state: 'completed' })
    expect(asked).toBeGreaterThanOrEqual(3)
  })
})

describe('uploads', () => {
  const bytes = new TextEncoder().encode('name,price\nlamp,12\n')
  const file: Upload = {
    fileName: 'a.csv',
    contentType: 'text/csv',
    bytes,
    prepareKey: 'p',
    finalizeKey: 'f',
  }
  const stored = async (client: ServiceClient): Promise<unknown> => {
    const receipt = await client.executeOperation('knowledge.list', {})
    return receipt.status === 'completed' ? receipt.data : null
  }

  test('LIB-UPLOAD-KEYS: a document is held, and goes on with the same two keys once it was approved', async () => {
    const { client, tenant } = tenantState()
    const document = { ...file, fileName: 'a.txt', contentType: 'text/plain' }
    const held = await client.uploadFileSource(document)
    expect(held).toMatchObject({ status: 'pending_approval' })
    expect(await client.uploadFileSource(document)).toEqual(held)
    expect(await stored(client)).toMatchObject({ count: 0 })
    tenant.decide(held.approvalId ?? '', 'approved')
    expect(await client.uploadFileSource(document)).toMatchObject({ status: 'completed' })
    expect(await stored(client)).toMatchObject({ count: 1 })
  })

  test('a document that lapsed between its two steps says which approval to read', async () => {
    const { client, tenant } = tenantState()
    const lapsing = new ServiceClient({
      apiKey: tenant.keys.main,
      baseUrl: simulator.url,
      fetch: (url, init) => {
        if (url.endsWith('/finalize')) tenant.lapseUpload({ key: 'p' })
        return fetch(url, init)
      },
    })
    const receipt = await lapsing.uploadFileSource({ ...file, fileName: 'a.txt', contentType: 'text/plain' })
    expect(receipt).toMatchObject({ status: 'failed', error: { code: 'UPLOAD_RENEWAL_INCOMPLETE' } })
    expect(await client.readApproval(receipt.approvalId ?? '')).toMatchObject({ state: 'pending' })
  })

  test('LIB-UPLOAD-NOT-DONE: a spreadsheet is accepted, and imported when its task is completed', async () => {
    const { client } = tenantState()
    const receipt = await client.uploadStructuredDataFile(file)
    expect(receipt.status).toBe('accepted')
    const taskId = taskOf(receipt)
    expect(await client.readTask(taskId)).toMatchObject({ isFinal: false })
    expect(await client.waitForTask(taskId, quick)).toMatchObject({ state: 'completed' })
  })
})

describe('billing', () => {
  const asOperations = {
    subscription: 'billing.subscription',
    plans: 'billing.plans',
    invoices: 'billing.invoices',
  }

  test.for([
    ['routes', {}],
    ['operations', asOperations],
  ] as const)('LIB-BILLING: is read where the simulator has %s for it', async ([interpretation, routes]) => {
    const { as } = tenantState({ interpretations: { 'GAP-BILLING-ROUTES': interpretation } })
    const client = as('main', { routes })
    expect(await client.getBillingSubscription()).toMatchObject({ plan: { displayName: 'Business' } })
    expect(await client.getBillingUsage()).toMatchObject({ credits: { remaining: 1_000_000 } })
    expect((await client.listBillingPlans()).length).toBeGreaterThan(1)
    expect(await client.listBillingInvoices({ limit: 3 })).toHaveLength(3)
    await refusedWith({ status: 403 })(as('noBilling', { routes }).getBillingUsage())
  })
})
