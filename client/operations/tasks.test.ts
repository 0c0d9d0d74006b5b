import { afterEach, expect, test } from 'vitest'
import { InvalidCall } from '../errors.ts'
import { openService, type Scripted, type ServiceDouble } from '../service.testkit.ts'

let service: ServiceDouble
afterEach(() => service.close())

const inState = (state: string): Scripted => ({ body: { id: 't1', state, result: { some_name: 1 } } })
const quick = { intervalMs: 1 }

test('LIB-TASK-NOT-DONE: queued, running, input_required and a state that nobody knows are not the end', async () => {
  const states = ['queued', 'running', 'input_required', 'COMPLETED', 'paused', 'completed']
  service = await openService(...states.map(inState))
  const seen: (readonly [string, boolean])[] = []
  await service
    .client()
    .waitForTask('t1', { ...quick, onRead: (task) => seen.push([task.state, task.isFinal]) })
  expect(seen).toEqual(states.map((state) => [state, state === 'completed']))
})

test('LIB-RATE-WAIT: after a 429 a task is read again when the time is over that the service asks for', async () => {
  const limited: Scripted = { status: 429, body: { error: 'RATE_LIMITED', retry_after_seconds: 0.2 } }
  service = await openService(limited, inState('completed'))
  const began = performance.now()
  await service.client().waitForTask('t1', quick)
  expect(performance.now() - began).toBeGreaterThanOrEqual(195)
  expect(service.met).toHaveLength(2)
})

test.for([{ intervalMs: NaN }, { intervalMs: -1 }, { timeoutMs: NaN }])(
  '%o is refused, and nothing is sent',
  async (times) => {
    service = await openService({ body: { state: 'completed' } })
    await expect(service.client().waitForTask('t1', times)).rejects.toThrow(InvalidCall)
    expect(service.met).toEqual([])
  },
)

const recordOf = async (body: object, approval: object = {}) => {
  service = await openService({ body })
  const record = await service.client({ dialect: { approval } }).readApproval('a1')
  expect(record).toMatchObject({ id: 'a1', body })
  expect(service.met[0]).toMatchObject({ method: 'GET', path: '/api/v1/approvals/a1' })
  return [record.decision, record.receiptStatus, record.state]
}

test.each([
  [{ state: 'pending' }, ['pending', null, 'pending']],
  [{ state: 'approved' }, ['approved', null, 'approved']],
  [{ state: 'Approved', receipt: { status: 'accepted' } }, ['approved', 'accepted', 'Approved']],
  [{ state: 'rejected', receipt: { status: 'failed' } }, ['rejected', 'failed', 'rejected']],
  [{ status: 'pending_approval' }, ['pending', 'pending_approval', 'pending_approval']],
  [{ status: 'completed', approval_id: 'a1' }, [null, 'completed', 'completed']],
  [{ status: 'approved' }, ['approved', null, 'approved']],
  [{ verdict: 'yes' }, [null, null, null]],
])('LIB-APPROVAL: an approval %j is read as %j', async (body, read) => {
  expect(await recordOf(body)).toEqual(read)
})

test('LIB-APPROVAL: an approval is read with the words and places of the dialect', async () => {
  const words = { state: '/owner/said', receipt: '/work', approved: 'YES', rejected: ['no', 'never'] }
  const approved = await recordOf({ owner: { said: 'yes' }, work: { status: 'failed' } }, words)
  const rejected = await recordOf({ owner: { said: 'Never' }, status: 'completed' }, words)
  expect([approved, rejected]).toEqual([
    ['approved', 'failed', 'yes'],
    ['rejected', null, 'Never'],
  ])
})

test('LIB-TASK-WAIT: a task is read where the dialect has its state', async () => {
  service = await openService(
    { body: { ticket: { state: 'running' } } },
    { body: { ticket: { state: 'failed' } } },
  )
  const client = service.client({ dialect: { task: { state: '/ticket/state' } } })
  expect(await client.waitForTask('t', { intervalMs: 1 })).toMatchObject({ state: 'failed', isFinal: true })
})
