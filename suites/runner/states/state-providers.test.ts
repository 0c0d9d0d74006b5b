import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StateId } from '../../../spec/index.ts'
import { emptyPolicy } from '../../policy/policy.ts'
import type { Finding } from '../../../bundle/record.ts'
import type { Provision, Target } from '../../config/target.ts'
import { withWays } from './state-providers.ts'
import { runSuite } from '../drivers/server.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import { exhausted } from '../../chat/turns/credits.ts'
import { toolTurn } from '../../chat/turns/streaming-events.ts'
import { secretsOf } from '../../config/secret-values.ts'
import { serviceDouble, type Answer, type Double } from '../service.testkit.ts'
import { planned } from '../../scenario/scenario.testkit.ts'

let refusal: { status: number; body: object } | null
let setting: object
let service: Double
let control: Awaited<ReturnType<typeof controlDouble>>

/** A control protocol that does what it is asked, unless `refusal` is set; keeps what it was asked. */
async function controlDouble() {
  const asked: string[] = []
  const held = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const text = Buffer.concat(chunks).toString()
      asked.push(`${method} ${url} ${headers.authorization} ${text}`.trim())
      const say = (code: number, body?: object): void => {
        response.writeHead(code, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
      }
      const [, state = '', handle] = /^\/base\/states\/([^/]+)(?:\/(.+))?$/.exec(url) ?? []
      if (refusal && method === 'POST') return say(refusal.status, refusal.body)
      if (method === 'POST') {
        held.add(`h:${state}`)
        return say(201, { handle: `h:${state}`, setting })
      }
      held.delete(decodeURIComponent(handle ?? ''))
      return say(204)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, asked, held, close }
}

let answer: (ask: Double['seen'][number]) => Answer | null
beforeEach(async () => {
  refusal = null
  setting = {}
  answer = () => null
  control = await controlDouble()
  service = await serviceDouble((ask) => answer(ask))
})
afterEach(async () => {
  await service.close()
  await control.close()
})

async function runIt(one: AnyScenario, states: Target['states'], change: Partial<Target> = {}) {
  const target = { ...service.target, control: { url: control.url, token: 'ct' }, states, ...change }
  const run = await runSuite(target, { seed: 1, scenarios: { 'a/b': one } })
  return { run, finding: run.record.findings[0] as Finding, gate: run.record.gate }
}

const scenarioOf = (run: AnyScenario['run']): AnyScenario => planned({}, { run })

const byControl = (...states: readonly StateId[]): Target['states'] =>
  Object.fromEntries(states.map((state) => [state, { provide: 'control' } satisfies Provision]))

test('states are entered in order by control, change the setting, and are left in reverse', async () => {
  setting = { agentId: 'agent-busy', message: 'start' }
  let message = ''
  const one = planned(
    { states: ['workflow.current', 'server.500'] },
    {
      async run(t) {
        message = t.message
        await t.chat('one')
      },
    },
  )
  const { finding } = await runIt(one, byControl('workflow.current', 'server.500'))
  expect(control.asked).toEqual([
    'POST /base/states/workflow.current Bearer ct {"agentId":"agent-plain","principal":"main"}',
    'POST /base/states/server.500 Bearer ct {"agentId":"agent-busy","principal":"main"}',
    'DELETE /base/states/server.500/h%3Aserver.500 Bearer ct',
    'DELETE /base/states/workflow.current/h%3Aworkflow.current Bearer ct',
  ])
  expect([message, service.seen.at(-1)?.path]).toEqual(['start', '/api/v1/chat/agent-busy'])
  expect(finding.states).toEqual([
    { state: 'workflow.current', by: 'control' },
    { state: 'server.500', by: 'control' },
  ])
})

test('a state entered in the middle gets the values that it concerns, and is left when the scenario throws', async () => {
  const one = scenarioOf(async (t) => {
    await t.chat('one')
    await t.enter('key.uncertain', { idempotencyKey: 'k', milliseconds: '50' })
    throw new Error('oops')
  })
  const { finding } = await runIt(one, byControl('key.uncertain'))
  expect(finding.verdict).toBe('error')
  expect(control.asked[0]).toBe(
    'POST /base/states/key.uncertain Bearer ct {"agentId":"agent-plain","principal":"main","idempotencyKey":"k","milliseconds":50}',
  )
  expect(control.held.size).toBe(0)
})

const broke: Target['states'] = { 'credits.exhausted': { provide: 'fixture', principal: 'broke' } }
test('a key without credits is not in the state where the agent that it is restricted to is not found', async () => {
  answer = ({ path, headers }) => {
    if (headers.authorization !== 'Bearer sk-broke') return null
    return path.endsWith('/agent-b')
      ? { status: 402, body: { error: 'INSUFFICIENT_CREDITS' } }
      : { status: 404, body: { error: 'agent not found' } }
  }
  const own = { name: 'broke', bearer: 'sk-broke', account: 'two', agents: ['agent-c'] }
  const principals = service.target.principals.flatMap((main) => [main, { ...main, ...own }])
  const { finding } = await runIt(exhausted, broke, { principals })
  expect(finding).toMatchObject({ check: 'a/b/CRED-EMPTY-STATUS', reason: 'state-mismatch' })
})

test('a declared state that the wire speaks against is not believed, and the run is not green', async () => {
  const paused: Target['states'] = { 'chat.paused': { provide: 'fixture', agent: 'agent-paused' } }
  const policy = { ...emptyPolicy, expectedNotExercised: [{ pattern: '*', reason: 'any' }] }
  const { finding, gate, run } = await runIt(planned({ states: ['chat.paused'] }), paused, { policy })
  const detail =
    'the target file declares chat.paused by a fixture, but a plain message got a reply that is not marked as paused'
  expect(finding).toMatchObject({ verdict: 'not-exercised', reason: 'state-mismatch', detail })
  expect(gate.because).toContain(detail)
  expect(run.journal.map(({ name }) => name)).toEqual([
    'preflight',
    ...Array.from({ length: 3 }, () => 'probe chat.paused'),
  ])
})

test('a state that control does not know is not provided; one that it could not enter is not established', async () => {
  refusal = { status: 404, body: { error: 'unknown state' } }
  const unknown = await runIt(planned({ states: ['server.503'] }), byControl('server.503'))
  expect(unknown.finding).toMatchObject({
    reason: 'state-not-provided',
    detail:
      'server.503 (The service is temporarily unavailable.): the control protocol answered 404: {"error":"unknown state"}',
  })
  refusal = { status: 500, body: { error: 'no' } }
  const failed = await runIt(planned({ states: ['server.503'] }), byControl('server.503'))
  expect(failed.finding.reason).toBe('state-not-established')
})

test('a state of another signed-in user is asked for with the headers of that one', async () => {
  const sessions = { small: { headers: [['Cookie', 'session=small-secret']] } } as const
  const target: Target = {
    ...service.target,
    session: { headers: [['Cookie', 'session=main-secret']] },
    sessions,
    states: { 'plan.without-webhooks': { provide: 'fixture', session: 'small', agent: 'agent-small' } },
  }
  const run: AnyScenario['run'] = async (t) => {
    await t.manage('one')
    await t.enter('plan.without-webhooks')
    await t.manage('one')
    await t.leave('plan.without-webhooks')
    await t.manage('one')
  }
  await runSuite(target, { seed: 1, scenarios: { 'a/one': planned({ session: true }, { run }) } })
  // The first asks before the run whether the session is signed in.
  const [, ...asked] = service.seen.filter(({ path }) => path.includes('/webhooks'))
  expect(asked.map(({ path, headers }) => [path.split('/')[3], headers.cookie])).toEqual([
    ['agent-plain', 'session=main-secret'],
    ['agent-small', 'session=small-secret'],
    ['agent-plain', 'session=main-secret'],
  ])
  expect(secretsOf(target).map(({ value }) => value)).toEqual(
    expect.arrayContaining(
      ['session=main-secret', 'session=small-secret'].map((one) => expect.stringContaining(one.slice(8))),
    ),
  )
})

test('a state of several ways is run in each of them, in their order', async () => {
  const target: Target = {
    ...service.target,
    states: { 'stream.tool': { provide: 'fixture', message: 'one that fails' } },
    furtherStates: { 'stream.tool': [{ provide: 'fixture', message: 'one that succeeds' }] },
  }
  await runSuite(target, { seed: 1, scenarios: { 'a/tool': toolTurn } })
  const messages = service.seen.flatMap(({ body }) => /one that \w+/.exec(body) ?? [])
  expect([...new Set(messages)]).toEqual(['one that fails', 'one that succeeds'])
})

test('of several ways a run takes one that it is permitted, and one for its own agent first', async () => {
  const program = { timeoutSeconds: 1, environment: {}, folder: '/', secrets: [] }
  const target: Target = {
    ...service.target,
    states: {
      'chat.paused': { provide: 'exec', enter: ['pause'], ...program },
      'event.leads.submit': { provide: 'control', agent: 'agent-b' },
    },
    furtherStates: {
      'chat.paused': [
        { provide: 'fixture', agent: 'agent-paused' },
        { provide: 'control', agent: 'agent-b' },
      ],
      'event.leads.submit': [
        { provide: 'control', agent: 'agent-c' },
        { provide: 'manual', instruction: 'a', timeoutSeconds: 1 },
      ],
    },
  }
  const agents = (permits: object, agent: string) => {
    const { states, furtherStates = {} } = withWays(target, permits, agent)
    return (['chat.paused', 'event.leads.submit'] as const).map((state) =>
      [states[state], ...(furtherStates[state] ?? [])].map((way) => way?.agent ?? way?.provide).join(),
    )
  }
  expect(agents({}, 'agent-a')).toEqual(['agent-paused,agent-b', 'agent-b,agent-c'])
  expect(agents({ allowExec: true, ask: () => true }, 'agent-b')).toEqual([
    'agent-b,exec,agent-paused',
    'agent-b,manual',
  ])
})

test('a hook is filled with the agent of its way, and what is in the state is asked', async () => {
  const hook = {
    method: 'POST',
    url: `${control.url}/{{agentId}}/{{decision}}`,
    headers: [],
    expect: [201],
  } as const
  const target: Target = {
    ...service.target,
    states: {
      'approval.rejected': {
        provide: 'http',
        enter: hook,
        agent: 'agent-b',
        message: 'stop',
        timeoutSeconds: 9,
        secrets: [],
      },
    },
  }
  const run: AnyScenario['run'] = async (t) => {
    await t.enter('approval.rejected')
    await t.chat('one', { message: t.message })
  }
  await runSuite(target, { seed: 1, scenarios: { 'a/one': planned({}, { run }) } })
  expect(control.asked).toEqual([expect.stringContaining('POST /base/agent-b/rejected')])
  expect(service.seen.at(-1)).toMatchObject({
    path: '/api/v1/chat/agent-b',
    body: expect.stringContaining('"stop"'),
  })
})
