import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { openProject, textAt, type How, type Project } from '../testing/project.testkit.ts'
import { samples } from '../testing/samples.testkit.ts'
import type { TaskPace } from '../operation.ts'

let project: Project
let inputs: Readonly<Record<string, JsonObject>>
beforeAll(async () => {
  project = await openProject()
  inputs = samples(project.simulator.tenant.agents.plain)
})
afterAll(() => project.simulator.close())

async function begin(operation: string, how: How = {}, pace: TaskPace | null = null): Promise<string> {
  const { tenant } = project.simulator
  tenant.reset()
  tenant.setTaskPace(pace)
  return textAt(await project.run(operation, inputs[operation] ?? {}, how), 'task_id')
}

async function states(id: string, times: number): Promise<readonly string[]> {
  const seen: string[] = []
  for (let read = 0; read < times; read++) seen.push(textAt(await project.task(id), 'state'))
  return seen
}

describe('a task', () => {
  test.for([
    ['customers.import', 'queued running completed completed'],
    ['orders.archive', 'queued running failed failed'],
    ['calendar.connect', 'queued running input_required input_required'],
  ] as const)('of %s shows %s', async ([operation, expected]) => {
    const id = await begin(operation)
    expect((await states(id, 4)).join(' ')).toBe(expected)
  })

  test('goes on with the input of the owner', async () => {
    const id = await begin('calendar.connect')
    const { tenant } = project.simulator
    expect(() => tenant.stepTask(id, 'input')).toThrow(/asks for nothing/)
    await states(id, 3)
    tenant.stepTask(id, 'input')
    expect(await states(id, 3)).toEqual(['running', 'completed', 'completed'])
    expect((await project.task(id)).body).toMatchObject({ result: { connected: true } })
  })

  test('that its owner brought on takes its whole time from there', async () => {
    const id = await begin('calendar.connect', {}, { by: 'time', stepMs: 100 })
    const { tenant } = project.simulator
    await tenant.clock.advance(150)
    tenant.stepTask(id, 'next')
    tenant.stepTask(id, 'input')
    const seen: string[] = []
    for (const ms of [60, 39, 1]) {
      await tenant.clock.advance(ms)
      seen.push(...(await states(id, 1)))
    }
    tenant.setTaskPace(null)
    expect(seen.join(' ')).toBe('running running completed')
  })

  test('takes its time on the clock of its tenant', async () => {
    const { tenant } = project.simulator
    tenant.setTaskPace({ by: 'time', stepMs: 100 })
    const id = textAt(await project.run('customers.import', inputs['customers.import'] ?? {}), 'task_id')
    const seen = [...(await states(id, 2))]
    for (const ms of [99, 1, 100]) {
      await tenant.clock.advance(ms)
      seen.push(...(await states(id, 1)))
    }
    tenant.setTaskPace(null)
    expect(seen.join(' ')).toBe('queued queued queued running completed')
  })

  test('of a report moves by time alone, even if it is never read', async () => {
    const id = await begin('reports.build')
    const { tenant } = project.simulator
    expect(await states(id, 3)).toEqual(['queued', 'queued', 'queued'])
    await tenant.clock.advance(1_000)
    expect(await states(id, 2)).toEqual(['cancelled', 'cancelled'])
  })

  test.for([
    ['at once', { by: 'at-once' }, 'completed completed'],
    ['by two reads', { by: 'reads', reads: 2 }, 'queued queued running running completed'],
    ['by hand', { by: 'hand' }, 'queued queued queued'],
  ] as const)('moves %s', async ([, pace, expected]) => {
    const { tenant } = project.simulator
    tenant.setTaskPace(pace)
    const id = textAt(await project.run('customers.import', inputs['customers.import'] ?? {}), 'task_id')
    expect((await states(id, expected.split(' ').length)).join(' ')).toBe(expected)
    tenant.setTaskPace(null)
  })

  test('has its effect when it ends, and no sooner; a second finish is refused', async () => {
    const id = await begin('customers.import')
    const { tenant } = project.simulator
    expect(await project.count('customers.list')).toBe(8)
    tenant.stepTask(id, 'finish')
    expect(await project.count('customers.list')).toBe(9)
    expect(() => tenant.stepTask(id, 'finish')).toThrow(/completed already/)
    expect(await project.count('customers.list')).toBe(9)
  })

  test.each([
    ['cancel', 'cancelled'],
    ['fail', 'failed'],
  ] as const)('that the owner lets %s has no effect and stays so', async (step, end) => {
    const id = await begin('customers.import')
    project.simulator.tenant.stepTask(id, step)
    expect(await states(id, 2)).toEqual([end, end])
    expect(await project.count('customers.list')).toBe(8)
  })

  test('asks for input where its owner wants it to, and goes on from there', async () => {
    const id = await begin('customers.import')
    const { tenant } = project.simulator
    expect(() => tenant.stepTask(id, 'ask')).toThrow(/while it is running/)
    tenant.stepTask(id, 'next')
    tenant.stepTask(id, 'ask')
    expect(await states(id, 2)).toEqual(['input_required', 'input_required'])
    tenant.stepTask(id, 'input')
    expect(await states(id, 2)).toEqual(['running', 'completed'])
    expect(await project.count('customers.list')).toBe(9)
  })

  test('is the same task when its request comes again', async () => {
    const id = await begin('customers.import', { key: 'twice' })
    const again = await project.run('customers.import', inputs['customers.import'] ?? {}, { key: 'twice' })
    expect(textAt(again, 'task_id')).toBe(id)
  })

  test('of another account is unknown', async () => {
    const id = await begin('customers.import')
    expect(await project.task(id, { as: 'other' })).toMatchObject({ status: 404 })
    expect(await project.task(id, { as: 'second' })).toMatchObject({ status: 200 })
  })

  test('about one agent is unknown to a key that is restricted to another', async () => {
    const id = await begin('calendar.connect')
    expect(await project.task(id, { as: 'oneAgent' })).toMatchObject({ status: 404 })
    const ofAll = await begin('customers.import')
    expect(await project.task(ofAll, { as: 'oneAgent' })).toMatchObject({ status: 200 })
  })

  test('that waits for its time leaves nothing behind when its tenant begins anew', async () => {
    const { tenant } = project.simulator
    tenant.setTaskPace({ by: 'time', stepMs: 100 })
    await project.run('customers.import', inputs['customers.import'] ?? {})
    tenant.reset()
    await tenant.clock.advance(1000)
    expect(await project.count('customers.list')).toBe(8)
  })
})

describe('an approval', () => {
  const send = (how: How = {}) =>
    project.run('customers.erase', inputs['customers.erase'] ?? {}, { key: 'k', ...how })
  const asked = async (): Promise<string> => {
    project.simulator.tenant.reset()
    return textAt(await send(), 'approval_id')
  }

  test.for([
    ['approved', 7, 'completed'],
    ['rejected', 8, 'failed'],
  ] as const)(
    'that is %s leaves %i customers, and the same request is %s',
    async ([decision, left, status]) => {
      const id = await asked()
      expect(await project.count('customers.list')).toBe(8)
      project.simulator.tenant.decide(id, decision)
      expect(await project.approval(id)).toMatchObject({ body: { id, state: decision, receipt: { status } } })
      const answers = [await send(), await send()]
      expect(answers.map((one) => textAt(one, 'status'))).toEqual([status, status])
      expect(await project.count('customers.list')).toBe(left)
      expect(await project.count('customers.erasures')).toBe(8 - left)
    },
  )

  test('that waits answers the same request with itself', async () => {
    const id = await asked()
    expect(textAt(await send(), 'approval_id')).toBe(id)
    expect(await project.approval(id)).toMatchObject({ status: 200, body: { id, state: 'pending' } })
  })

  test('is decided once', async () => {
    const id = await asked()
    const { tenant } = project.simulator
    tenant.decide(id, 'rejected')
    expect(() => tenant.decide(id, 'approved')).toThrow(/rejected already/)
    expect(await project.count('customers.list')).toBe(8)
  })

  test('that nobody decides in time has no effect', async () => {
    const own = await openProject({ interpretations: { 'GAP-APPROVAL-STATES': 'lapsing' } })
    const { tenant } = own.simulator
    const id = textAt(await own.run('customers.erase', inputs['customers.erase'] ?? {}), 'approval_id')
    await tenant.clock.advance(24 * 60 * 60 * 1000 - 1)
    expect(textAt(await own.approval(id), 'state')).toBe('pending')
    await tenant.clock.advance(1)
    expect(textAt(await own.approval(id), 'state')).toBe('expired')
    expect(() => tenant.decide(id, 'approved')).toThrow(/expired already/)
    expect(await own.count('customers.list')).toBe(8)
    await own.simulator.close()
  })

  test('of another account is unknown', async () => {
    const id = await asked()
    expect(await project.approval(id, { as: 'other' })).toMatchObject({ status: 404 })
  })

  test('that does not exist cannot be decided', () => {
    expect(() => project.simulator.tenant.decide('appr_none', 'approved')).toThrow(/no approval "appr_none"/)
  })
})
