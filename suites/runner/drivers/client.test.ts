import { describe, expect, test } from 'vitest'
import { every, fail, notApplicable, pass } from '../../scenario/expect.ts'
import { status } from '../../assertions/answer.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import type { Finding, Run } from '../../../bundle/record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { realClock } from '../../wire/clock.ts'
import { functionRunner, type RunFunction } from '../../clients/execution/step.ts'
import { runClient, type ClientRunOptions, clientCalled } from './client.ts'
import { fakeServices, type FakeServices } from '../../clients/execution/service.testkit.ts'
import { clientScenario, type ClientStep } from '../../clients/client-scenario.ts'

const chat: ClientStep = { task: { do: 'chat', message: 'hello', idempotencyKey: 'key-1' } }

function planned(acts: Readonly<Record<string, ClientStep>>) {
  return clientScenario<string>({
    title: 'something is asked for',
    steps: acts,
    judge: { 'LIB-CHAT': (acted) => every(acted['first'] ?? [], (one) => status(one, 200)) },
  })
}

const two = planned({ first: chat, second: chat })

interface ScenarioExecution extends Pick<Run, 'record' | 'journal'> {
  services: FakeServices
  found: Readonly<Record<string, Finding>>
}

async function run(
  scenarioRuns: Readonly<Record<string, ReturnType<typeof planned>>>,
  runIt: (services: FakeServices, ...about: Parameters<RunFunction>) => unknown,
  change: Partial<ClientRunOptions> & {
    can?: readonly 'chat'[]
    services?: FakeServices
    requests?: number
  } = {},
): Promise<ScenarioExecution> {
  const services = change.services ?? fakeServices()
  const clock = realClock()
  const performer = functionRunner(
    async (...about) => {
      await runIt(services, ...about)
      return []
    },
    { clock, lingerMs: 0, concurrency: 3 },
  )
  const plain = clientCalled('a client', change.can ? { can: change.can } : {})
  const subject = {
    ...plain,
    budgets: { ...plain.budgets, requests: change.requests ?? plain.budgets.requests },
  }
  const { record, journal } = await runClient(subject, {
    seed: 1,
    runId: 'run',
    clock,
    runner: performer,
    startService: services.open,
    scenarios: scenarioRuns,
    ...change,
  })
  const found = Object.fromEntries(record.findings.map((finding) => [finding.scenario, finding]))
  return { record, journal, services, found }
}

describe('a run against a client', () => {
  test('gives an act that goes on the service of the act before, and each its own requests', async () => {
    const acts = { first: chat, more: { ...chat, continues: true }, other: chat } as const
    const addresses: string[] = []
    const { journal, services } = await run({ 'client-a/kept': planned(acts) }, (at, { name, service }) => {
      addresses.push(service.baseUrl)
      at.send(service.baseUrl)
      if (name.endsWith('more')) at.send(service.baseUrl)
    })
    expect(addresses[1]).toBe(addresses[0])
    expect(addresses[2]).not.toBe(addresses[0])
    expect(services.seeds).toEqual(['1/client-a/kept/first', '1/client-a/kept/other'])
    expect(journal.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 first', '2 more', '3 more', '4 other'])
    expect(services.opened()).toBe(0)
  })

  test('reports concurrent scenarios in the order of the plan, under ids of their own', async () => {
    const own = (message: string) => {
      const step = { task: { ...chat.task, message } }
      return planned({ first: step, second: step })
    }
    const names = ['client-a/slow', 'client-a/quick', 'client-a/quicker']
    const scenarioRuns = Object.fromEntries(names.map((name) => [name, own(name)]))
    const clock = realClock()
    const settled: string[] = []
    const { record, journal, services } = await run(
      scenarioRuns,
      async (at, { name, service }) => {
        if (name.includes('slow')) await clock.sleep(30)
        at.send(service.baseUrl)
        if (name.endsWith('second')) at.send(service.baseUrl)
      },
      {
        onProgress: (progress) =>
          void (progress.is === 'scenario-run' && settled.push(progress.scenarioRun.scenario)),
      },
    )
    expect(settled).toEqual(Object.keys(scenarioRuns))
    expect(record.scenarioRuns.map(({ scenario }) => scenario)).toEqual(Object.keys(scenarioRuns))
    expect(journal.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(journal.slice(3, 6).map(({ scenario, name }) => `${scenario} ${name}`)).toEqual([
      'client-a/quick first',
      'client-a/quick second',
      'client-a/quick second',
    ])
    expect(record.findings.map(({ verdict, evidence }) => [verdict, ...evidence])).toEqual([
      ['pass', 1],
      ['pass', 4],
      ['pass', 7],
    ])
    expect(new Set(services.seeds).size).toBe(6)
    expect(services.opened()).toBe(0)
  })

  test('runs the first step that scenarios share once, and gives each scenario its exchanges', async () => {
    const { journal, record, services } = await run(
      { 'client-a/one': two, 'client-a/other': two },
      (at, { service }) => at.send(service.baseUrl),
    )
    expect(services.seeds).toEqual(
      ['one/first', 'one/second', 'other/second'].map((name) => `1/client-a/${name}`),
    )
    expect(journal.map(({ id, scenario, name }) => `${id} ${scenario} ${name}`)).toEqual([
      '1 client-a/one first',
      '2 client-a/one second',
      '3 client-a/other first',
      '4 client-a/other second',
    ])
    expect(record.used.requests).toBe(3)
  })

  test('ends a scenario in which a client was asked and sent nothing', async () => {
    const { found, services, record } = await run({ 'client-a/b': two }, () => null)
    expect(found['client-a/b']).toMatchObject({
      verdict: 'not-exercised',
      reason: 'client-never-acted',
      detail: 'step `first`: no request sent',
    })
    expect(services.seeds).toHaveLength(1)
    expect(record.gate.because[0]).toContain('sent no request in any scenario')
  })

  test('passes and excuses nothing that rests on a network fault that no request met', async () => {
    const refused = {
      ...chat,
      service: { networkFaults: [{ do: { is: 'refuse', code: 'RATE_LIMITED' } }] },
    } as const
    const judging = (judge: (one: Exchange | undefined) => Judgement) =>
      clientScenario<'first' | 'refused'>({
        title: 'a refusal is met',
        steps: { first: chat, refused },
        judge: { 'LIB-CHAT': ({ refused: [one] }) => judge(one) },
      })
    const scenarioRuns = {
      'client-a/pass': judging(() => pass),
      'client-a/none': judging(() => notApplicable('it never retries')),
      'client-a/fail': judging((one) => fail('another address', 'this one', one)),
    }
    const { record } = await run(scenarioRuns, (at, { service }) => at.send(service.baseUrl))
    expect(record.findings.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'fail'])
    expect(record.gate.because[0]).toContain('reported nothing')
    expect(record.findings[0]?.detail).toBe(
      'step `refused`: no request met the network fault that was prepared for it',
    )
  })

  test('says that --can leaves out all that was selected only where it does', async () => {
    const judge = { 'LIB-CHAT': () => notApplicable('it never retries') }
    const idle = { 'client-a/b': clientScenario<string>({ title: 'a', steps: { first: chat }, judge }) }
    for (const can of [[], ['chat']] as const) {
      const { record } = await run(idle, (at, { service }) => at.send(service.baseUrl), { can })
      expect(record.gate.because.join().includes('--can')).toBe(can.length === 0)
    }
  })

  test('keeps 200 exchanges of a client that never stops, and counts the others', async () => {
    const { journal, record } = await run({ 'client-a/b': planned({ first: chat }) }, (at, { service }) => {
      for (let sent = 0; sent < 1_000; sent++) at.send(service.baseUrl)
    })
    expect([journal.length, record.used.requests]).toEqual([200, 1_000])
    expect(record.scenarioRuns[0]?.notes['not recorded of first']).toBe('800 further requests')
  })
})
