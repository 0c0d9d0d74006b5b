/** Clients that do nothing of use pass nothing; clients that are unusual, and right, fail nothing. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, test } from 'vitest'
import { functionRunner, type RunFunction } from '../../suites/clients/execution/step.ts'
import type { ClientReport } from '../../bundle/client-report.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { unusualClients } from '../kill-matrix/broken-clients/unusual.ts'
import { judged, judgedClient } from '../kill-matrix/clients.ts'

const clock = realClock()
const reply = {
  response: 'Done.',
  conversation_id: crypto.randomUUID(),
  credits_used: 1,
  credits_remaining: 9,
}

/** Every success there is. */
const boasts: readonly ClientReport[] = [
  { saw: 'event', event: { type: 'token', token: 'Done.' } },
  { saw: 'event', event: { type: 'done', ...reply } },
  { saw: 'reply', reply },
  {
    saw: 'result',
    result: { credits: { remaining: 9 }, status: 'active', plan: { displayName: 'Business' } },
  },
  {
    saw: 'finished',
    receipt: { status: 'completed' },
    task: { state: 'completed' },
    approval: { state: 'approved' },
  },
]

/** By what it does, in words that follow "a client that". */
const doingNothing: Readonly<Record<string, RunFunction>> = {
  'does nothing': async () => [],
  'fails at once': () => Promise.reject(new Error('exit code 1')),
  'claims everything and sends nothing': async () => boasts,
  'connects and hangs up': async ({ service }) => {
    const { hostname, port } = new URL(service.baseUrl)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.destroy()
    return boasts
  },
  'reads the address it is given': async ({ service }) => {
    await (await fetch(service.baseUrl)).text()
    return boasts
  },
  'posts nothing to it': async ({ service }) => {
    await (await fetch(service.baseUrl, { method: 'POST' })).text()
    return boasts
  },
}

describe.concurrent('no check passes against a client that', () => {
  test.for(Object.entries(doingNothing))('%s', async ([name, run], { expect }) => {
    const performer = functionRunner(run, { clock, concurrency: 16, lingerMs: 0 })
    const { findings, conformance, exitCode } = await judged(name, 'library', performer)
    expect(findings.filter(({ verdict }) => verdict === 'pass').map(({ check }) => check)).toEqual([])
    expect(findings.length).toBeGreaterThan(100)
    expect([conformance === 'conformant', exitCode === 0]).toEqual([false, false])
  })
})

/** What gives up when the service, which is in the same process, is late: no other test may hold it up. */
const onTime = ['waits a second for the next event, and no longer']

for (const [describes, isPunctual] of [
  [describe, true],
  [describe.concurrent, false],
] as const)
  describes('nothing is said against a client that', () => {
    const unusual = Object.entries(unusualClients)
    test.for(unusual.filter(([name]) => onTime.includes(name) === isPunctual))(
      '%s',
      async ([name, client], { expect }) => {
        const { findings } = await judgedClient(name, client)
        const against = findings.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
        expect(against.map(({ check, verdict }) => `${check}: ${verdict}`)).toEqual([])
      },
    )
  })
