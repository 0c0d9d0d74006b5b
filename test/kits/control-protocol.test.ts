/** The control protocol for staging servers, held against its document and used by the suites. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import {
  CannotEnter,
  controlProtocol,
  type ControlProtocol,
  type StateProvider,
} from '../../kits/control-protocol/node/control-protocol.ts'
import { createSimulator } from '../../simulator/index.ts'
import { serverScenarios, type Provision } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { cases, problemOf, requests, token, type ProtocolRequest } from './protocol-requests.ts'

type Answer = readonly [status: number, body: unknown]
const expected = cases.map(([, , status]) => status)

function staging(): { control: ControlProtocol; paused: ReadonlySet<string> } {
  const paused = new Set<string>()
  const pause: StateProvider = ({ agentId = 'agent_1' }) => {
    if (agentId === 'locked') throw new CannotEnter('The agent is locked: unlock it first.')
    paused.add(agentId)
    return { setting: { agentId }, leave: () => paused.delete(agentId) }
  }
  const advance = () => ({ now: new Date(60_000), fired: 0 })
  return { control: controlProtocol({ token, states: { 'chat.paused': pause }, advance }), paused }
}

/** Resolves with the base URL of a server that stops with the test. */
async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const init = ({ method, headers, body }: ProtocolRequest): RequestInit => ({
  method,
  headers,
  ...(body === '' ? {} : { body }),
})

async function inTurn(send: (request: ProtocolRequest) => Promise<Response | null>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const request of requests) {
    const response = await send(request)
    answers.push([response?.status ?? 0, await response?.json()])
  }
  return answers
}

function hold(answers: readonly Answer[]): void {
  expect(answers.map(([status]) => status)).toEqual(expected)
  const problems = answers.map(([status, body], at) => problemOf(requests[at]!, status, body))
  expect(problems.filter((problem) => problem !== null)).toEqual([])
}

test('middleware of node:http answers as the document says', async () => {
  const { control, paused } = staging()
  const url = await served((req, res) => void control.middleware(req, res))
  hold(await inTurn((request) => fetch(url + request.path, init(request))))
  expect(paused.size).toBe(0)
  expect((await fetch(`${url}/controls`)).status).toBe(404)
})

test('a handler of fetch answers as the document says', async () => {
  const { control, paused } = staging()
  hold(await inTurn((request) => control.fetch(new Request(`http://staging${request.path}`, init(request)))))
  expect(paused.size).toBe(0)
  expect(await control.fetch(new Request('http://staging/api/v1/chat/agent_1'))).toBe(null)
})

test('states that are left over are left, the last one first, and a failure can be tried again', async () => {
  const left: string[] = []
  let fails = true
  const pause: StateProvider = ({ agentId = '' }) => ({
    leave: () => {
      if (agentId === 'two' && fails) throw new Error('not now')
      left.push(agentId)
    },
  })
  const control = controlProtocol({ token, states: { 'chat.paused': pause } })
  for (const agentId of ['one', 'two'])
    await control.fetch(
      new Request('http://staging/control/states/chat.paused', {
        method: 'POST',
        headers: requests[0]!.headers,
        body: JSON.stringify({ agentId }),
      }),
    )
  await expect(control.leaveAll()).rejects.toThrow('not now')
  fails = false
  await control.leaveAll()
  expect(left).toEqual(['two', 'one'])
})

const isMissing = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']).status !== 0
if (isMissing) console.warn('skipped: the control protocol in Python needs Python 3.11')

test.skipIf(isMissing)('middleware of WSGI and ASGI answers as the document says', async () => {
  const script = fileURLToPath(new URL('staging.py', import.meta.url))
  const out = await new Promise<string>((resolve, reject) => {
    const child = execFile('python3', ['-B', script, token], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    const elsewhere = { ...requests[0], path: '/controls' }
    child.stdin?.end(JSON.stringify([...requests, elsewhere]))
  })
  const { wsgi, asgi, paused } = JSON.parse(out) as Record<'wsgi' | 'asgi', Answer[]> & { paused: string[] }
  for (const answers of [wsgi, asgi]) {
    expect(answers.pop()?.[0]).toBe(418)
    hold(answers)
  }
  expect(paused).toEqual([])
})

test('the suite enters states of a staging server by it', async () => {
  const simulator = await createSimulator({ control: false })
  onTestFinished(() => simulator.close())
  const { tenant } = simulator
  const asked: string[] = []
  const states: Record<string, StateProvider> = {
    'chat.paused': ({ agentId = tenant.agents.plain }) => {
      asked.push('chat.paused')
      tenant.pause(agentId)
      return { setting: { agentId }, leave: () => tenant.resume(agentId) }
    },
    'server.503': () => {
      asked.push('server.503')
      tenant.fail({ status: 503, times: Infinity })
      return { leave: () => tenant.clearFailures() }
    },
  }
  // Needs no effort: an agent that has been prepared is in it.
  states['workflow.current'] = () => ({ setting: { agentId: tenant.agents.workflow, message: 'Book it.' } })
  const control = controlProtocol({ token, path: '/internal/control', states })
  const url = await served((req, res) => void control.middleware(req, res))
  const target = simulatorTarget(simulator)
  const byControl: Provision = { provide: 'control' }
  const { record } = await runSuite(
    {
      ...target,
      control: { url: `${url}/internal/control`, token },
      states: { ...target.states, 'chat.paused': byControl, 'server.503': byControl },
    },
    { seed: 1, scenarios: serverScenarios, only: ['PAUSE-*', 'ERR-503'] },
  )
  expect(record.findings.filter(({ verdict, level }) => verdict !== 'pass' && level !== 'silent')).toEqual([])
  expect(new Set(asked)).toEqual(new Set(['chat.paused', 'server.503']))
})

test('a clock that cannot be advanced ends what has to wait for it, and not the run', async () => {
  const simulator = await createSimulator({ control: false })
  onTestFinished(() => simulator.close())
  const control = controlProtocol({ token, states: {} })
  const url = await served((req, res) => void control.middleware(req, res))
  const target = simulatorTarget(simulator)
  const { record } = await runSuite(
    {
      ...target,
      budgets: { ...target.budgets, requestsPerMinute: 8 },
      timing: { ...target.timing, clock: 'control' },
      control: { url: `${url}/control`, token },
    },
    { seed: 1, scenarios: serverScenarios, only: ['idempotency-replay/*', 'IDEM-CONFLICT-*'] },
  )
  const found = record.findings.filter(({ check }) => !check.startsWith('rules/'))
  const { pass = [], 'not-exercised': ended = [] } = Object.groupBy(found, (one) => one.verdict)
  expect(pass.length).toBeGreaterThan(0)
  expect(ended.length).toBeGreaterThan(0)
  for (const { detail } of ended) expect(detail).toMatch(/^advancing the clock by \d+ ms was answered 404/)
})
