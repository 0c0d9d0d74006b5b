import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { openProject, textAt, type Project } from '../operations/testing/project.testkit.ts'
import { misfits } from './answer.testkit.ts'
import { samples } from '../operations/testing/samples.testkit.ts'

let project: Project
let base: string
beforeAll(async () => {
  project = await openProject()
  base = `${project.simulator.url}/_sim/v1/tenants/${project.simulator.tenant.id}`
})
afterAll(() => project.simulator.close())

async function call(method: string, path: string, body?: Json): Promise<{ status: number; body: unknown }> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...init,
  })
  return { status: answer.status, body: await answer.json() }
}

/** A receipt of a fresh run with the sample. */
const began = (operation: string) =>
  project.run(operation, samples(project.simulator.tenant.agents.plain)[operation] ?? {})

test('an owner decides once', async () => {
  const id = textAt(await began('customers.erase'), 'approval_id')
  const decide = (decision: string) => call('POST', `/approvals/${id}`, { decision })
  const first = await decide('approved')
  expect(first).toMatchObject({ status: 200, body: { id, operation: 'customers.erase', state: 'approved' } })
  expect(misfits('ApprovalState', first.body)).toBe(null)
  expect(await decide('rejected')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('approved already') },
  })
  expect(await project.approval(id)).toMatchObject({ body: { state: 'approved' } })
  const list = await call('GET', '/approvals')
  expect(list).toMatchObject({ body: { approvals: [{ id, state: 'approved' }] } })
  expect(misfits('ApprovalList', list.body)).toBe(null)
})

test('an owner brings a task on, step by step, until it is final', async () => {
  expect(await call('PATCH', '', { tasks: { by: 'hand' } })).toMatchObject({ status: 200 })
  const id = textAt(await began('calendar.connect'), 'task_id')
  const seen = []
  const problems = []
  for (const step of ['next', 'next', 'next', 'input', 'next', 'next']) {
    const { status, body } = await call('POST', `/tasks/${id}`, { step })
    seen.push([step, status, textAt(await project.task(id), 'state')])
    problems.push(misfits(status === 200 ? 'OwnedTask' : 'ControlErrorBody', body))
  }
  expect(seen).toEqual([
    ['next', 200, 'running'],
    ['next', 200, 'input_required'],
    ['next', 200, 'input_required'],
    ['input', 200, 'running'],
    ['next', 200, 'completed'],
    ['next', 409, 'completed'],
  ])
  expect(problems.filter((problem) => problem !== null)).toEqual([])
  expect(misfits('TaskList', (await call('GET', '/tasks')).body)).toBe(null)
})
