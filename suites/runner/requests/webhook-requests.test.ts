import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { status } from '../../assertions/answer.ts'
import { all } from '../../scenario/expect.ts'
import type { Run } from '../../../reports/bundle/record.ts'
import { defaultReceiver } from '../../config/defaults.ts'
import type { Target } from '../../config/target.ts'
import { readJournal, writeJournal } from '../../../reports/bundle/journal/codec.ts'
import { readAgain } from '../../../reports/bundle/text.ts'
import { cleanup } from '../cleanup.ts'
import type { Created } from '../../../reports/bundle/created.ts'
import { rejudge } from '../outcome/rejudge.ts'
import { runServerUnredacted, type RunOptions } from '../drivers/server.ts'
import { scenario, type AnyScenario, type Needs } from '../../scenario/scenario.ts'
import { serviceDouble, type Answer, type Double } from '../service.testkit.ts'
import { webhookDouble, type Ask, type WebhookDouble } from '../receiver/webhook-service.testkit.ts'

let service: Double
let hooks: WebhookDouble
let overrule: (ask: Ask) => Answer | null
beforeEach(async () => {
  hooks = webhookDouble()
  overrule = () => null
  service = await serviceDouble((ask) => overrule(ask) ?? hooks.answer(ask))
})
afterEach(() => service.close())

const receiver = { ...defaultReceiver, mode: 'loopback', development: true, waitSeconds: 2 } as const
const session = { headers: [['Cookie', 'sid=0123456789']] } as const

type Change = Partial<Target> & { options?: Partial<RunOptions> }

function run(scenarios: Readonly<Record<string, AnyScenario>>, change: Change = {}): Promise<Run> {
  const { options, ...target } = change
  return runServerUnredacted(
    { ...service.target, session, receiver, ...target },
    { seed: 1, runId: 'run', scenarios, ...options },
  )
}

const delivered = scenario({
  title: 'a delivery comes in',
  exchanges: ['made', 'delivery[]', 'list'],
  needs: { session: true, receiver: true },
  cost: { requests: 2, turns: 0 },
  async run(t) {
    const endpoint = t.endpoint('delivery', { status: 500, body: 'no' }, { status: 204 })
    const hook = await t.webhook('made', endpoint)
    t.note('secret', hook.secret)
    await hooks.deliver('{"a":1}')
    await hooks.deliver('{"a":2}')
    t.note('arrived', await endpoint.arrived(2))
    t.note('count', endpoint.count)
    await t.manage('list')
  },
  judge: {
    'HOOK-CREATE': ({ made }) => status(made, 201),
    'HOOK-LIST': ({ delivery, list }) =>
      delivery.length === 2 ? status(list, 200) : { is: 'fail', expected: '2', got: `${delivery.length}` },
  },
})

const verdicts = ({ record }: Run) => record.findings.map(({ verdict, detail }) => [verdict, detail])

test('what comes in is recorded as exchanges of the scenario, and is judged again from the journal', async () => {
  const ran = await run({ 'hooks/delivered': delivered })
  expect(verdicts(ran)).toEqual([
    ['pass', undefined],
    ['pass', undefined],
  ])
  expect(ran.record.scenarioRuns[0]).toMatchObject({
    notes: { secret: 'whsec_double', arrived: true, count: 2 },
    stuck: [],
  })
  const path = '/run/hooks/delivered/1'
  expect(
    ran.journal.map(({ name, request, response, inbound }) => [
      name,
      `${request.method} ${request.path}`,
      response?.status,
      inbound?.place,
    ]),
  ).toEqual([
    ['preflight', 'POST /api/v1/chat/agent-plain', 400, undefined],
    ['session', 'GET /api/agents/agent-plain/webhooks', 200, undefined],
    ['made', 'POST /api/agents/agent-plain/webhooks', 201, undefined],
    ['delivery', `POST ${path}`, 500, path],
    ['delivery', `POST ${path}`, 204, path],
    ['list', 'GET /api/agents/agent-plain/webhooks', 200, undefined],
    ['cleanup', 'DELETE /api/agents/agent-plain/webhooks/wh_1', 200, undefined],
  ])
  const journal = readJournal(writeJournal(ran.journal))
  expect(journal).toEqual(ran.journal)
  const again = rejudge({ ...ran, journal }, { 'hooks/delivered': delivered }, service.target)
  expect(again.findings).toEqual(ran.record.findings)
})

test('what was sent again because it was too early is judged again from the journal without the first', async () => {
  const read = scenario({
    title: 'read',
    exchanges: ['list[]'],
    needs: { session: true },
    cost: { requests: 1, turns: 0 },
    async run(t) {
      await t.manageMore('list', { until: () => false })
    },
    judge: {
      'HOOK-LIST': ({ list }) =>
        list.length === 1 && list[0]
          ? status(list[0], 200)
          : { is: 'fail', expected: '1', got: `${list.length}` },
      'HOOK-CREATE': () => ({ is: 'observed', value: 'half a \ud800' }),
    },
  })
  let lists = 0
  overrule = ({ method }) => (method === 'GET' && ++lists === 2 ? { status: 429, body: '{}' } : null)
  const ran = await run({ 'hooks/read': read })
  expect(ran.journal.flatMap(({ name, insteadOf = null }) => (name === 'list' ? [insteadOf] : []))).toEqual([
    null,
    3,
    4,
    5,
    6,
    7,
    8,
  ])
  const journal = readJournal(writeJournal(ran.journal))
  const again = rejudge({ ...ran, journal }, { 'hooks/read': read }, service.target)
  expect(again.findings).toEqual(readAgain(ran.record.findings))
  expect(again.findings[0]).toMatchObject({ verdict: 'pass', evidence: [9] })
})

test('requests are those of the signed-in user, of a key, or of nobody', async () => {
  const asked = scenario({
    title: 'asked',
    exchanges: ['one', 'two', 'three', 'made'],
    needs: { session: true },
    cost: { requests: 4, turns: 0 },
    async run(t) {
      await t.manage('one')
      await t.manage('two', { as: 'self', path: '/wh_9/logs' })
      await t.manage('three', { as: null, method: 'PATCH', path: '/wh_9', body: { name: 'b' } })
      await t.webhook('made', 'https://receiver.test/a', { name: null, custom_headers: { 'X-A': 'b' } })
    },
    judge: { 'HOOK-LIST': ({ one }) => status(one, 200) },
  })
  const { record } = await run({ 'hooks/asked': asked }, { receiver: defaultReceiver })
  expect(record.findings[0]?.verdict).toBe('pass')
  const seen = service.seen.slice(2).map(({ method, path, headers, body }) => ({
    asked: `${method} ${path.split('/webhooks')[1]}`,
    by: headers.cookie ?? headers.authorization ?? null,
    type: headers['content-type'] ?? null,
    body,
  }))
  expect(seen).toEqual([
    { asked: 'GET ', by: 'sid=0123456789', type: null, body: '' },
    { asked: 'GET /wh_9/logs', by: 'Bearer sk-main', type: null, body: '' },
    { asked: 'PATCH /wh_9', by: null, type: 'application/json', body: '{"name":"b"}' },
    {
      asked: 'POST ',
      by: 'sid=0123456789',
      type: 'application/json',
      body: '{"endpoint_url":"https://receiver.test/a","events":["procedure.escalated"],"custom_headers":{"X-A":"b"}}',
    },
    { asked: 'DELETE /wh_1', by: 'sid=0123456789', type: null, body: '' },
  ])
  expect(record.used).toMatchObject({ requests: 7, turns: 0 })
})

test('what could not be removed is said, and stays in the ledger until it is cleaned up', async () => {
  const ledger: Created[] = []
  const gone: string[] = []
  overrule = ({ method }) => (method === 'DELETE' ? { status: 503, body: {} } : null)
  const ran = await run(
    { 'hooks/delivered': delivered },
    { options: { onCreate: (entry) => void ledger.push(entry), onGone: (id) => void gone.push(id) } },
  )
  expect(ran.record.scenarioRuns[0]?.stuck).toEqual([
    'the webhook wh_1 could not be removed by DELETE /api/agents/agent-plain/webhooks/wh_1: answered 503',
  ])
  expect([ledger, gone]).toEqual([
    [{ id: 'hooks/delivered webhook 3', what: 'webhook', agent: 'agent-plain', webhook: 'wh_1' }],
    [],
  ])
  overrule = () => null
  const target = { ...service.target, session }
  expect(await cleanup(target, ledger)).toEqual({ gone: ledger, left: [] })
  expect(hooks.hooks.size).toBe(0)
})

test('what was made is removed past a cap, too', async () => {
  const budgets = { ...service.target.budgets, requests: 3 }
  const { record } = await run({ 'hooks/delivered': delivered }, { budgets })
  expect(record.scenarioRuns[0]).toMatchObject({ stuck: [] })
  expect([record.used.requests, hooks.hooks.size]).toEqual([3, 0])
  expect(service.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})

test('a creation without a secret ends the scenario, and is removed all the same', async () => {
  overrule = ({ method, path }) =>
    method === 'POST' && path.endsWith('/webhooks') ? { status: 200, body: { id: 'wh_7' } } : null
  const ran = await run({ 'hooks/delivered': delivered })
  const because = 'no webhook was created: `made` was answered 200, without the strings `id` and `secret_key`'
  expect(verdicts(ran)[1]).toEqual(['inconclusive', because])
  expect(service.seen.at(-1)?.path).toBe('/api/agents/agent-plain/webhooks/wh_7')
})

const open = scenario({
  title: 'left open',
  exchanges: ['made', 'held[]', 'dropped[]', 'after[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3, turns: 0 },
  async run(t) {
    const held = t.endpoint('held', 'hold')
    await t.webhook('made', held)
    void hooks.deliver()
    await held.arrived(1)
    hooks.hooks.clear()
    const dropped = t.endpoint('dropped', 'close')
    await t.webhookMore('after', dropped)
    await hooks.deliver()
  },
  judge: { 'HOOK-CREATE': ({ made }) => status(made, 201) },
})

test('what was never answered is kept as it is, and says who closed', async () => {
  const ran = await run({ 'hooks/open': open })
  const inbound = ran.journal.filter((exchange) => exchange.inbound)
  expect(inbound.map(({ name, response, failure }) => [name, response, failure?.kind])).toEqual([
    ['held', null, 'reset'],
    ['dropped', null, 'reset'],
  ])
  expect(inbound[0]?.failure?.message).toBe('our receiver had not answered when the scenario ended')
})

test('a port is closed until it is opened', async () => {
  const closed = scenario({
    title: 'closed',
    exchanges: ['made', 'late[]'],
    needs: { session: true, receiver: true },
    cost: { requests: 1, turns: 0 },
    async run(t) {
      const endpoint = await t.closedEndpoint('late')
      await t.webhook('made', endpoint ?? 'nowhere')
      t.note('before', (await hooks.deliver())[0] ?? -1)
      await endpoint?.open()
      endpoint?.script({ status: 202 })
      t.note('after', (await hooks.deliver())[0] ?? -1)
      t.note('count', endpoint?.count ?? -1)
    },
    judge: { 'HOOK-CREATE': ({ late }) => status(late[0]!, 202) },
  })
  const { record } = await run({ 'hooks/closed': closed })
  expect(record.findings[0]).toMatchObject({ verdict: 'pass' })
  expect(record.scenarioRuns[0]?.notes).toEqual({ before: 0, after: 202, count: 1 })
})

test('a receiver that our own request does not reach is used by no scenario', async () => {
  const other = createServer((_, response) => response.writeHead(204).end())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const publicUrl = `http://127.0.0.1:${port}/hooks`
  const ran = await run(
    { 'hooks/delivered': delivered },
    { receiver: { ...receiver, mode: 'public', publicUrl } },
  )
  other.close()
  const [finding] = ran.record.findings
  expect(finding).toMatchObject({ verdict: 'not-exercised', reason: 'receiver-unreachable' })
  expect(finding?.detail).toMatch(
    /^a request of our own to http:\S+\/hooks did not come in at 127\.0\.0\.1:\d+: it was answered 204 by something else$/,
  )
})

test.each([
  ['nobody signed in', { session: null }, 'principal-missing', /session: \{ headers/],
  ['no receiver', { receiver: defaultReceiver }, 'receiver-unreachable', /receiver\.mode/],
] as const)('with %s a scenario that needs one is not exercised', async (_, change, reason, words) => {
  const { record } = await run({ 'hooks/delivered': delivered }, change)
  expect(record.findings[0]).toMatchObject({ verdict: 'not-exercised', reason })
  expect(record.findings[0]?.detail).toMatch(words)
})

const eventful = scenario({
  title: 'eventful',
  exchanges: ['made'],
  needs: { session: true, event: 'any' },
  cost: { requests: 2, turns: 1 },
  async run(t) {
    await t.webhook('made', 'https://receiver.test/a')
    await t.emit()
    t.note('event', t.event)
    t.note('agent', t.agent)
  },
  judge: { 'HOOK-CREATE': ({ made }) => status(made, 201) },
})

test('an event of a standing agent is brought about by its message, on that agent', async () => {
  const states = {
    'event.booking.created': { provide: 'fixture', agent: 'agent-books', message: 'Book it.' },
  } as const
  const ran = await run({ 'hooks/eventful': eventful }, { states })
  expect(ran.record.scenarioRuns[0]?.notes).toEqual({ event: 'booking.created', agent: 'agent-books' })
  expect(ran.record.scenarioRuns[0]?.states).toEqual([{ state: 'event.booking.created', by: 'fixture' }])
  expect(service.seen.slice(2).map(({ path }) => path)).toEqual([
    '/api/agents/agent-books/webhooks',
    '/api/v1/chat/agent-books',
    '/api/agents/agent-books/webhooks/wh_1',
  ])
  expect(service.seen[3]?.body).toContain('"message":"Book it."')
  expect(ran.record.used.turns).toBe(1)
})

/** Scenarios that each wait until so many are running, or end alone. */
function concurrentScenario(needs: Needs) {
  let now = 0
  let most = 0
  const counted = async (work: Promise<unknown>): Promise<void> => {
    most = Math.max(most, ++now)
    await work
    now -= 1
  }
  const waiting = scenario({
    title: 'one of a limit',
    exchanges: ['list'],
    needs: { session: true, receiver: true, ...needs },
    cost: { requests: 2, turns: 0 },
    run: (t) => counted(t.manage('list').then(() => t.pause(60))),
    judge: { 'HOOK-LIST': ({ list }) => status(list, 200) },
  })
  const path = '/api/agents/agent_1/webhooks'
  const reading: AnyScenario = {
    ...waiting,
    needs: {},
    run: (t) => counted(t.read('list', path).then(() => t.pause(60))),
  }
  return { waiting, reading, most: () => most }
}

const byHand = {
  'event.leads.submit': { provide: 'manual', instruction: 'Do it.', timeoutSeconds: 5 },
} as const

test.each([
  ['that wait for deliveries are run at the same time', {}, {}, 4],
  ['with the same event are run one after the other', { event: 'any' }, {}, 1],
  ['that want to be alone are run one after the other', { alone: true }, {}, 1],
  ['on a clock of ours are run one after the other', {}, { clock: 'control' }, 1],
  ['are as many at the same time as the target allows', {}, {}, 2, 2],
] as const)('scenarios %s', async (_, needs, timing, expected, scenariosAtOnce?: number) => {
  const { waiting, most } = concurrentScenario(needs)
  const scenarios = { 'a/a': waiting, 'a/b': waiting, 'a/c': waiting, 'a/d': waiting }
  const ran = await run(scenarios, {
    states: byHand,
    timing: { ...service.target.timing, ...timing },
    receiver: { ...receiver, scenariosAtOnce: scenariosAtOnce ?? receiver.scenariosAtOnce },
    options: { ask: () => Promise.resolve(true) },
  })
  expect(verdicts(ran).map(([verdict]) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass'])
  expect(most()).toBe(expected)
})

test('scenarios without turns run while others wait for deliveries, one after the other', async () => {
  const { waiting, reading, most } = concurrentScenario({})
  const scenarios = { 'a/a': reading, 'a/b': waiting, 'a/c': waiting, 'a/d': reading }
  const ran = await run(scenarios)
  expect(verdicts(ran).map(([verdict]) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass'])
  expect(most()).toBe(3)
})

test('the smoke profile runs before anything fills the time of others', async () => {
  const { waiting, reading, most } = concurrentScenario({})
  await run({ 'a/a': { ...reading, profile: 'smoke' }, 'a/b': waiting })
  expect(most()).toBe(1)
})

test('without an event that can be triggered, the scenario is not tested', async () => {
  const { record } = await run({ 'hooks/eventful': eventful })
  expect(record.findings[0]).toMatchObject({ verdict: 'not-exercised', reason: 'state-not-provided' })
})

const listing = scenario({
  title: 'webhooks are listed many times',
  exchanges: ['list[]'],
  needs: { session: true },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    for (let i = 0; i < 12; i++) await t.manageMore('list')
  },
  judge: { 'HOOK-LIST': ({ list }) => all(...list.map((one) => status(one, 200))) },
})

test('requests with the session neither wait for the rate of a key nor take of it', async () => {
  const waits: unknown[] = []
  const ending = new AbortController()
  const onProgress: RunOptions['onProgress'] = (progress) => {
    if (progress.is !== 'spent' || !progress.waiting) return
    waits.push(progress.waiting)
    ending.abort()
  }
  const budgets = { ...service.target.budgets, wallSeconds: 3_600, requestsPerMinute: 2 }
  const ran = await run(
    { 'hooks/first': listing, 'hooks/second': listing },
    { budgets, options: { onProgress, signal: ending.signal } },
  )
  expect(waits).toEqual([])
  expect(verdicts(ran)).toEqual([
    ['pass', undefined],
    ['pass', undefined],
  ])
})
