/** Each interpretation of a gap of operations shows on the wire. */
import { describe, expect, test } from 'vitest'
import { operationsGaps } from '../../../spec/gaps/operations.ts'
import type { JsonObject } from '../../json.ts'
import { at, openProject, textAt, type Answered, type Project } from '../testing/project.testkit.ts'

type GapId = keyof typeof operationsGaps
/** What shows of a gap, as a text that differs between its interpretations. */
type Probe = (project: Project) => Promise<string>

const note = { text: 'Call back.' }
const erasure = { customerId: 'cus_1001', reason: 'law' }
const rows = { customers: [{ name: 'Ida', email: 'ida@example.com' }] }
const dayMs = 86_400_000

const members = ({ body }: Answered): string => Object.keys(body).sort().join()
const brief = ({ status, body }: Answered): string => `${status} ${Object.keys(body).sort().join()}`

/** The answer to an execution whose whole body is this. */
const sending =
  (body: JsonObject, key: string | null = 'k'): Probe =>
  async ({ ask }) =>
    brief(await ask('POST', '/operation-executions/notes.create', body, { key }))

const approvalIdOf = (held: Answered): string => textAt(held, 'approval_id')

const probes: Record<Exclude<GapId, `GAP-UPLOAD-${string}`>, Probe | null> = {
  'GAP-DISCOVERY-SHAPE': async ({ ask }) => {
    const { json } = await ask('GET', '/operations')
    return String(Array.isArray(json))
  },
  'GAP-EXECUTION-BODY': sending(note),
  'GAP-OPERATION-KEY': sending({ input: note, idempotency_key: 'k' }, null),
  'GAP-OPERATION-KEY-REQUIRED': sending({ input: note }, null),
  'GAP-OPERATION-CONFLICT': async ({ run }) => {
    await run('notes.create', note, { key: 'k' })
    return brief(await run('notes.create', { text: 'another' }, { key: 'k' }))
  },
  'GAP-RECEIPT-SHAPE': async ({ run }) => {
    const held = await run('customers.erase', erasure)
    return `${members(held)} ${members(await run('customers.import', rows))}`
  },
  'GAP-RECEIPT-STATUS': async ({ run }) => {
    const answers = [await run('customers.erase', erasure), await run('orders.export', { format: 'csv' })]
    return answers.map(({ status }) => status).join()
  },
  'GAP-OPERATION-REFUSAL': async ({ run }) => members(await run('no.such')),
  'GAP-OPERATION-UNKNOWN': async ({ run, task, approval }) => {
    const answers = [await run('no.such'), await task('none'), await approval('none')]
    return answers.map(({ status }) => status).join()
  },
  'GAP-TASK-FIELDS': async ({ simulator, run, task }) => {
    simulator.tenant.setTaskPace({ by: 'at-once' })
    return members(await task(textAt(await run('customers.import', rows), 'task_id')))
  },
  'GAP-TASK-TRANSITIONS': async ({ run, task }) => {
    const id = textAt(await run('customers.import', rows), 'task_id')
    const seen = [await task(id), await task(id), await task(id)]
    return seen.map((one) => textAt(one, 'state')).join()
  },
  'GAP-APPROVAL-FIELDS': async ({ run, approval }) =>
    members(await approval(approvalIdOf(await run('customers.erase', erasure)))),
  'GAP-APPROVAL-STATES': async ({ simulator, run, approval }) => {
    const id = approvalIdOf(await run('customers.erase', erasure))
    await simulator.tenant.clock.advance(dayMs)
    return textAt(await approval(id), 'state')
  },
  'GAP-APPROVAL-CONTINUES': async ({ simulator, run, count }) => {
    const id = approvalIdOf(await run('customers.erase', erasure))
    simulator.tenant.decide(id, 'approved')
    return JSON.stringify(await count('customers.list'))
  },
  'GAP-BILLING-ROUTES': async ({ ask, run }) => {
    const routed = await ask('GET', '/billing/plans')
    return `${routed.status} ${(await run('billing.plans')).status}`
  },
  'GAP-DOCUMENT-APPROVAL': async ({ ask }) => {
    const announced = { fileName: 'a.txt', contentType: 'text/plain', size: 1 }
    const uploadId = textAt(await ask('POST', '/uploads/documents/prepare', announced), 'data', 'uploadId')
    const bytes = Buffer.from('a').toString('base64')
    return textAt(await ask('POST', '/uploads/documents/finalize', { uploadId, bytes }), 'status')
  },
  'GAP-USAGE-SHAPE': async ({ ask }) =>
    `${members(await ask('GET', '/billing/usage'))} ${members(await ask('GET', '/billing/subscription'))}`,
  'GAP-INVOICE-LIMIT': async ({ ask }) => String((await ask('GET', '/billing/invoices?limit=101')).status),
  'GAP-AGENT-LISTING': async ({ ask, run }) =>
    `${(await ask('GET', '/agents')).status} ${(await run('agents.list')).status}`,
  'GAP-OTHER-RATES': async ({ ask }) => {
    const answers = await Promise.all(Array.from({ length: 61 }, () => ask('GET', '/billing/usage')))
    return String(answers.filter(({ status }) => status === 429).length)
  },
  // One interpretation only.
  'GAP-RECEIPT-CODES': null,
  'GAP-INPUT-REQUIRED': null,
}

describe('each interpretation shows', () => {
  const switchable = Object.entries(probes).filter(([, probe]) => probe !== null)
  test.for(switchable)('%s', async ([gap, probe]) => {
    const interpretations = Object.keys(operationsGaps[gap as GapId].interpretations)
    // By what was seen: two interpretations that look the same leave one entry.
    const seen = new Map<string, string>()
    for (const interpretation of interpretations) {
      const project = await openProject({
        seed: 'interpretations',
        interpretations: { [gap]: interpretation },
      })
      seen.set(String(await probe?.(project)), interpretation)
      await project.simulator.close()
    }
    expect([...seen.values()]).toEqual(interpretations)
  })
})

test('a gap without a probe has one interpretation only', () => {
  const without = Object.entries(probes).filter(([, probe]) => probe === null)
  for (const [gap] of without)
    expect(Object.keys(operationsGaps[gap as GapId].interpretations)).toHaveLength(1)
})

test('an approved operation that waits to be sent again runs then, once', async () => {
  const project = await openProject({ interpretations: { 'GAP-APPROVAL-CONTINUES': 'again' } })
  const send = () => project.run('customers.erase', erasure, { key: 'k' })
  const id = approvalIdOf(await send())
  project.simulator.tenant.decide(id, 'approved')
  expect((await project.approval(id)).body).toMatchObject({
    state: 'approved',
    receipt: { status: 'completed' },
  })
  const answers = [await send(), await send()]
  expect(answers.map(({ json }) => at(json, 'data', 'count'))).toEqual([7, 7])
  await project.simulator.close()
})

test('the key in the body of a bare envelope is no member of the input', async () => {
  const interpretations = { 'GAP-EXECUTION-BODY': 'bare', 'GAP-OPERATION-KEY': 'body' } as const
  const project = await openProject({ interpretations })
  const sent = { ...note, idempotency_key: 'k' }
  const send = () => project.ask('POST', '/operation-executions/notes.create', sent, { key: null })
  expect([await send(), await send()].map(({ json }) => at(json, 'data', 'count'))).toEqual([1, 1])
  await project.simulator.close()
})
