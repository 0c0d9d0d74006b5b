import { isObject } from '../../../spec/json.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { status } from '../../assertions/answer.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { OperationFixture, Target } from '../../config/target.ts'
import { runServerUnredacted } from '../drivers/server.ts'
import { scenario, type AnyScenario, type Needs } from '../../scenario/scenario.ts'
import type { Driver } from '../../scenario/driver.ts'
import { serviceDouble, type Answer, type Double } from '../service.testkit.ts'

let service: Double
/** How the double wants the input to be wrapped. */
let unwrapped: (body: Record<string, unknown>) => unknown
beforeEach(async () => {
  unwrapped = (body) => body['input']
  service = await serviceDouble(({ path, body }) => {
    if (path.endsWith('/closed')) return { status: 403, body: { error: 'no' } }
    return path.startsWith('/api/v1/chat/') ? null : answer(body)
  })
})
afterEach(() => service.close())

function answer(body: string): Answer {
  const input = body === '' ? {} : unwrapped(JSON.parse(body) as Record<string, unknown>)
  return isObject(input) && 'limit' in input
    ? { status: 200, body: { status: 'completed', data: { count: 7, uploadId: 'u 1' } } }
    : { status: 400, body: { error: 'no' } }
}

const list: OperationFixture = { name: 'list', id: 'notes.list', input: { limit: 1 }, receipt: 'completed' }
const note: OperationFixture = {
  name: 'note',
  id: 'notes.create',
  input: { limit: 1, text: 'a', tag: 'x-{fresh}' },
  fresh: ['/text', '/tag'],
  receipt: 'completed',
  write: true,
  effect: { operation: 'list', count: '/data/count' },
}

interface Change extends Partial<Pick<Target, 'optIn' | 'kind' | 'dialect' | 'doneWithinPlaces'>> {
  operations?: readonly OperationFixture[]
}

const scenarioWith = (
  run: (t: Driver<'one' | 'more[]'>) => Promise<unknown>,
  needs: Needs = {},
): AnyScenario =>
  scenario({
    title: 'a scenario about operations',
    exchanges: ['one', 'more[]'],
    needs,
    cost: { requests: 6, turns: 0 },
    async run(t) {
      await run(t)
    },
    judge: { 'EXEC-RECEIPT': ({ one }) => status(one, 200) },
  })

/** What was found, and what was sent for it. */
async function findingOf(run: Parameters<typeof scenarioWith>[0], change: Change = {}, needs: Needs = {}) {
  const { operations = [list, note], ...target } = change
  const fixtures = { ...service.target.fixtures, operations }
  const { record } = await runServerUnredacted(
    { ...service.target, ...target, fixtures },
    {
      seed: 1,
      runId: 'run',
      scenarios: { 'o/a': scenarioWith(run, needs), 'o/b': scenarioWith(run, needs) },
    },
  )
  const [finding] = record.findings
  const seen = service.seen.filter(({ path }) => !path.startsWith('/api/v1/chat/'))
  return { ...finding, seen }
}

const writes = { optIn: ['writes'] } as const

test('how an input is wrapped is found out once for a whole run', async () => {
  unwrapped = (body) => body['arguments']
  const { verdict, seen } = await findingOf((t) => t.execute('one', list))
  expect(verdict).toBe('pass')
  expect(seen.map(({ body }) => body)).toEqual([
    '{"input":{"limit":1}}',
    '{"limit":1}',
    '{"arguments":{"limit":1}}',
    '{"arguments":{"limit":1}}',
    '{"arguments":{"limit":1}}',
  ])
})

test('a read that the key may not execute is left for another', async () => {
  const closed: OperationFixture = { ...list, name: 'closed', id: 'closed' }
  const { verdict, seen } = await findingOf((t) => t.execute('one', list), { operations: [closed, list] })
  expect(verdict).toBe('pass')
  const ids = seen.map(({ path }) => path.split('/').at(-1))
  expect(ids).toEqual(['closed', 'notes.list', 'notes.list', 'notes.list'])
})

test('where no way is taken nothing is judged', async () => {
  unwrapped = () => null
  expect(await findingOf((t) => t.execute('one', list))).toMatchObject({
    verdict: 'inconclusive',
    detail: expect.stringContaining('declare `dialect.execution.input`'),
  })
})

test('what is declared is not looked for', async () => {
  const { seen } = await findingOf((t) => t.execute('one', list), {
    dialect: { execution: { input: '/input' } },
  })
  expect(seen.map(({ body }) => body)).toEqual(['{"input":{"limit":1}}', '{"input":{"limit":1}}'])
})

test.for<[what: string, operation: OperationFixture | string, change: Change, reason: string]>([
  ['an operation that is not declared', 'notes.erase', writes, 'fixture-missing'],
  ['a write without the opt-in', note, {}, 'opt-in-required'],
  ['the same by its id', 'notes.create', {}, 'opt-in-required'],
])('%s is not executed', async ([, operation, change, reason]) => {
  const { seen, ...finding } = await findingOf((t) => t.execute('one', operation), change)
  expect([finding.verdict, finding.reason, seen]).toEqual(['not-exercised', reason, []])
})

test('what exists nowhere, and what the contract names, may be asked for', async () => {
  const { verdict, seen } = await findingOf(async (t) => {
    await t.execute('one', 'touchstone.nowhere', { input: { limit: 1 } })
    await t.executeMore('more', 'agent_setup.inspect', { input: { limit: 1 } })
  })
  expect(verdict).toBe('pass')
  const keys = seen.slice(-2).map(({ headers }) => typeof headers['idempotency-key'])
  expect(keys).toEqual(['string', 'undefined'])
})

test.for<[what: string, execution: Dialect['execution'], header: string, body: unknown]>([
  ['in the usual header', { input: '' }, 'idempotency-key', { limit: 1 }],
  ['in another header', { input: '', keyHeader: 'X-Key' }, 'x-key', { limit: 1 }],
  ['in the body', { input: '', key: '/meta/key' }, '', { limit: 1, meta: { key: 'k1' } }],
])('a key is carried %s', async ([, execution = {}, header, body]) => {
  unwrapped = (whole) => whole
  const { seen } = await findingOf((t) => t.execute('one', note, { key: 'k1', input: { limit: 1 } }), {
    ...writes,
    dialect: { execution },
  })
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual(body)
  expect(header === '' || seen[0]?.headers[header] === 'k1').toBe(true)
})

test('each run of a write has an input of its own, and a key', async () => {
  const inputs: unknown[] = []
  const { verdict } = await findingOf(
    async (t) => {
      inputs.push(t.inputOf(t.operation), t.inputOf(t.operation))
      await t.execute('one', t.operation)
    },
    writes,
    { operation: { receipt: 'completed', write: true } },
  )
  expect(verdict).toBe('pass')
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(inputs.length)
  expect(inputs[0]).toEqual({
    limit: 1,
    text: expect.any(String),
    tag: expect.stringMatching(/^x-[0-9a-f]{16}$/),
  })
})

test('an effect is read by the operation that shows it', async () => {
  const counts: unknown[] = []
  await findingOf(async (t) => {
    counts.push(await t.effectOf('more', note), await t.effectOf('more', list))
    await t.execute('one', list)
  })
  expect(counts.slice(0, 2)).toEqual([7, null])
})

test.for<[what: string, needs: Needs['operation'], change: Change, reason: string, words: string]>([
  ['a kind that is not declared', { receipt: 'accepted' }, writes, 'fixture-missing', 'receipt: accepted'],
  [
    'an effect that nothing shows',
    { receipt: 'completed', effect: true },
    { ...writes, operations: [list] },
    'fixture-missing',
    'effect: { operation:',
  ],
  [
    'a time in which work is done',
    { receipt: 'accepted', doneWithin: true },
    { ...writes, operations: [{ ...list, receipt: 'accepted' }] },
    'fixture-missing',
    'doneWithinSeconds: <',
  ],
  ['a write', { receipt: 'completed', write: true }, {}, 'opt-in-required', 'optIn: [writes]'],
])('a scenario that needs %s is not run', async ([, operation, change, reason, words]) => {
  const needs = operation ? { operation } : {}
  const finding = await findingOf((t) => t.execute('one', t.operation), change, needs)
  expect(finding).toMatchObject({ verdict: 'not-exercised', reason, detail: expect.stringContaining(words) })
  expect(finding.seen).toEqual([])
})

test('a wrong `doneWithinSeconds` is reported with its place in the file', async () => {
  const slow: OperationFixture = { ...list, doneWithinSeconds: 5 }
  const change = { operations: [slow], doneWithinPlaces: { list: 't.yaml:7' } }
  const finding = await findingOf(async (t) => t.notDoneWithin(slow, 'it took longer'), change)
  expect(finding).toMatchObject({
    verdict: 'not-exercised',
    reason: 'state-mismatch',
    detail:
      'the target file declares `fixtures.operations.list.doneWithinSeconds: 5` (t.yaml:7), but it took longer; declare a longer time, or take it out',
  })
})

test('a read is run where a write would do but is not allowed', async () => {
  const needs = { operation: { receipt: 'completed' } } as const
  const finding = await findingOf((t) => t.execute('one', t.operation), { operations: [note, list] }, needs)
  expect(finding.verdict).toBe('pass')
})

const uploads: Dialect['uploads'] = {
  document: {
    prepare: { path: '/up', fileName: '/file/name', size: '/file/size', key: '/key' },
    finalize: { path: '/up/{uploadId}', method: 'PUT', bytes: '', keyHeader: 'X-Key' },
  },
}
const bytes = new TextEncoder().encode('{"limit":1}')

test('a file is uploaded as the target declares it, the id of one step in the path of the next', async () => {
  unwrapped = (body) => ({ ...body, limit: 1 })
  const { seen } = await findingOf(
    async (t) => {
      const document = { kind: 'document', contentType: 'text/plain', bytes } as const
      const prepared = await t.upload('one', { ...document, step: 'prepare', key: 'k1', fileName: 'a.txt' })
      await t.upload('one', { ...document, step: 'finalize', key: 'k2', prepared })
    },
    { ...writes, dialect: { uploads, execution: { input: '' } } },
  )
  const [prepare, finalize] = seen
  expect(JSON.parse(prepare?.body ?? '')).toEqual({ file: { name: 'a.txt', size: 11 }, key: 'k1' })
  expect(finalize).toMatchObject({ method: 'PUT', path: '/up/u%201', body: '{"limit":1}' })
  expect(finalize?.headers).toMatchObject({ 'content-type': 'text/plain', 'x-key': 'k2' })
})

test.for<[what: string, change: Change, reason: string]>([
  ['where no route is declared', writes, 'fixture-missing'],
  ['without the opt-in', { dialect: { uploads } }, 'opt-in-required'],
])('nothing is uploaded %s', async ([, change, reason]) => {
  const { seen, ...finding } = await findingOf(
    (t) => t.upload('one', { kind: 'document', step: 'prepare', key: 'k' }),
    change,
  )
  expect([finding.reason, seen]).toEqual([reason, []])
})
