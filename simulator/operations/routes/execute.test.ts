import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../json.ts'
import { at, openProject, textAt, type Answered, type How, type Project } from '../testing/project.testkit.ts'

let project: Project
beforeAll(async () => {
  project = await openProject()
})
afterAll(() => project.simulator.close())

const note = { text: 'Call back.' }
const counted = ({ json }: Answered): unknown => at(json, 'data', 'count')
const refused = (answer: Answered): string => `${answer.status} ${textAt(answer, 'error')}`

describe('a key', () => {
  const cases: readonly [title: string, second: object, how: How, expected: string | number][] = [
    ['with the same input gives the first receipt', note, {}, 1],
    ['with another input is a conflict', { text: 'Other.' }, {}, '409 IDEMPOTENCY_CONFLICT'],
    ['of another key of the account is the same key', note, { as: 'second' }, 1],
  ]
  test.for(cases)('%s', async ([title, second, how, expected]) => {
    const { simulator, run, count } = project
    simulator.tenant.reset()
    await run('notes.create', note, { key: title })
    const again = await run('notes.create', second as typeof note, { key: title, ...how })
    expect(again.status === 200 ? counted(again) : refused(again)).toBe(expected)
    expect(await count('notes.list')).toBe(1)
  })

  test('of another account is another key', async () => {
    const { simulator, run, count } = project
    simulator.tenant.reset()
    await run('notes.create', note, { key: 'shared' })
    await run('notes.create', { text: 'Other.' }, { key: 'shared', as: 'other' })
    expect([await count('notes.list'), await count('notes.list', { as: 'other' })]).toEqual([1, 1])
  })

  test('used for one operation is a conflict for another', async () => {
    await project.run('notes.create', note, { key: 'two' })
    expect(refused(await project.run('reports.build', { period: '2029-12' }, { key: 'two' }))).toBe(
      '409 IDEMPOTENCY_CONFLICT',
    )
  })

  test('of a request that was refused is free', async () => {
    expect(await project.run('notes.create', {}, { key: 'free' })).toMatchObject({ status: 400 })
    expect(await project.run('notes.create', note, { key: 'free' })).toMatchObject({ status: 200 })
  })

  test('with members in another order is the same input', async () => {
    const input = { text: 'x', priority: 'low' }
    const other = { priority: 'low', text: 'x' }
    expect(canonicalJson(other)).toBe(canonicalJson(input))
    const first = await project.run('notes.create', input, { key: 'order' })
    expect(await project.run('notes.create', other, { key: 'order' })).toEqual(first)
  })

  test('that failed fails again without another run', async () => {
    const send = () => project.run('orders.export', { format: 'csv' }, { key: 'failed' })
    const first = await send()
    expect([first.status, textAt(first, 'error', 'code')]).toEqual([422, 'NO_ORDER_SYSTEM'])
    expect(await send()).toEqual(first)
  })

  test('whose outcome is not known runs nothing more', async () => {
    const refund = { paymentId: 'pay_1001', amountCents: 1, currency: 'EUR' }
    const send = () => project.run('payments.refund', refund, { key: 'doubt' })
    const codes = [await send(), await send()].map((one) => textAt(one, 'error', 'code'))
    expect(codes).toEqual(['OUTCOME_UNCERTAIN', 'OUTCOME_UNCERTAIN'])
    expect(await project.count('payments.list')).toBe(1)
  })

  test('that is brought in doubt runs nothing, whatever is sent with it', async () => {
    project.simulator.tenant.reset()
    project.simulator.tenant.markRunUncertain({ key: 'asked' })
    const answer = await project.run('notes.create', note, { key: 'asked' })
    expect(textAt(answer, 'error', 'code')).toBe('OUTCOME_UNCERTAIN')
    expect(await project.count('notes.list')).toBe(0)
  })
})

describe('many at once with one key', () => {
  test('run once', async () => {
    const { simulator, run, count } = project
    simulator.tenant.reset()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => run('notes.create', note, { key: 'at once' })),
    )
    expect(new Set(answers.map(counted))).toEqual(new Set([1]))
    expect(await count('notes.list')).toBe(1)
  })

  test('are in progress while the first one runs', async () => {
    const { simulator, run, count } = project
    const { tenant } = simulator
    tenant.reset()
    tenant.state.rules.runMs = 50
    const both = [1, 2].map(() => run('notes.create', note, { key: 'slow' }))
    expect(refused(await Promise.race(both))).toBe('409 REQUEST_IN_PROGRESS')
    await tenant.clock.advance(50)
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
    tenant.state.rules.runMs = 0
    expect(await count('notes.list')).toBe(1)
  })

  test('of different keys run each', async () => {
    const { simulator, run, count } = project
    simulator.tenant.reset()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => run('notes.create', note, { key: `k${index}` })),
    )
    expect(await count('notes.list')).toBe(20)
  })
})

describe('hostile input', () => {
  const nested = (depth: number): string => `{"input":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const cases: readonly [title: string, raw: string | Uint8Array<ArrayBuffer>][] = [
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['no input', '{}'],
    ['an input of null', '{"input":null}'],
    ['an input that is a list', '{"input":[]}'],
    ['an input of another type', '{"input":{"text":5}}'],
    ['a prototype', '{"input":{"text":"a","__proto__":{"x":1}}}'],
    ['a constructor', '{"input":{"text":"a","constructor":{"prototype":{}}}}'],
    ['100,000 levels', nested(100_000)],
    ['deep below a known member', `{"input":{"text":"a","tags":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
    ['2 MiB', JSON.stringify({ input: { text: 'x'.repeat(2 ** 21) } })],
    ['half a surrogate pair too long', JSON.stringify({ input: { text: '\ud800'.repeat(501) } })],
  ]
  test.for(cases)('%s is refused as invalid', async ([, raw]) => {
    expect(refused(await project.run('notes.create', {}, { raw }))).toBe('400 INVALID_INPUT')
  })

  test.for([
    ['of 256 characters', 'x'.repeat(256), '400 INVALID_INPUT'],
    ['that is empty', '', '400 INVALID_INPUT'],
    ['that is missing', null, '400 IDEMPOTENCY_KEY_REQUIRED'],
  ] as const)('a key %s is refused', async ([, key, expected]) => {
    expect(refused(await project.run('notes.create', note, { key }))).toBe(expected)
  })

  test.for(['__proto__', 'constructor', '%00', '..%2f..', 'x'.repeat(400), '💥', 'notes.create%20'])(
    'the ids %s are unknown',
    async (id) => {
      const answers = [await project.run(id), await project.task(id), await project.approval(id)]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    },
  )

  test('a read needs no key', async () => {
    expect(await project.run('notes.list', {}, { key: null })).toMatchObject({ status: 200 })
  })
})

test.for(['', 'Bearer', 'Bearer sk-nobody', 'Basic abc'])(
  'credentials %j are refused 401',
  async (authorization) => {
    const how = { headers: { authorization } }
    const answers = [
      await project.run('notes.list', {}, how),
      await project.ask('GET', '/operations', undefined, how),
      await project.task('none', how),
      await project.approval('none', how),
      await project.ask('GET', '/billing/usage', undefined, how),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  },
)

test('the journal shows no API key', async () => {
  await project.run('notes.create', note)
  const { tenant } = project.simulator
  const text = JSON.stringify(tenant.journal.entries().map(({ headers, path }) => [headers, path]))
  expect(text).toContain('notes.create')
  expect(text).not.toContain(tenant.keys.main)
})
