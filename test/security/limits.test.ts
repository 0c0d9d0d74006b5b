/** What is asked for over HTTP has an end, and the response at the limit says what to do. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { simulatorLimits, limitsWith, type LimitName } from '../../simulator/limits.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({
    clock: { mode: 'frozen', at: 0 },
    unlimited: true,
    limits: {
      tenants: 2,
      openAnswers: 3,
      journalReadBytes: 100,
      replyRules: 12,
      networkFaults: 2,
      failures: 2,
      barriers: 2,
      states: 2,
      snapshots: 2,
      itemBytes: 1_000,
      replyCharacters: 2_000,
    },
  })
})
afterAll(() => simulator.close())

async function ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${simulator.url}/_sim/v1/tenants${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

let saved = 0
const inTenant = (path: string): string => `/${simulator.tenant.id}${path}`
const faults = (): string => inTenant('/network-faults')
const reply = (text: string): object => ({ replyRules: [{ match: {}, reply: { text } }] })
const withBody = (body: string): object => ({ networkFaults: [{ do: { is: 'answer', status: 200, body } }] })

describe('there is no room for', () => {
  type Making = readonly [method: string, path: string, body: object]
  const cases: readonly [limit: LimitName, make: () => Making, before: number, words: RegExp][] = [
    ['tenants', () => ['POST', '', {}], 1, /There may be 2 tenants, and there are 2: end one/],
    ['replyRules', () => ['PUT', inTenant('/reply-rules'), reply('Hello.')], 3, /12 reply rules.*reset/],
    ['networkFaults', () => ['POST', faults(), withBody('')], 2, /2 network faults.*DELETE/],
    ['failures', () => ['POST', inTenant('/failures'), { status: 500 }], 2, /2 failures.*DELETE/],
    ['barriers', () => ['POST', inTenant('/barriers'), { point: 'before-run' }], 2, /2 barriers.*release/],
    ['snapshots', () => ['PUT', inTenant(`/snapshots/${++saved}`), {}], 2, /2 snapshots.*delete one/],
    ['states', () => ['POST', inTenant('/states/server.503'), {}], 2, /2 states.*leave one/],
  ]
  test.for(cases)('more %s than there may be', async ([, make, before, words]) => {
    for (let made = 0; made < before; made++) expect((await ask(...make())).status).toBeLessThan(300)
    const refused = await ask(...make())
    expect(refused).toEqual({ status: 409, text: expect.stringMatching(words) as string })
    await ask('POST', inTenant('/reset'))
    await ask('DELETE', inTenant('/network-faults'))
  })

  const large = 'x'.repeat(1_000)
  test.for([
    ['a reply rule that is too large', 'PUT', '/reply-rules', reply(large), /Reply rule 1 has 10\d\d bytes/],
    ['a network fault that is too large', 'POST', '/network-faults', withBody(large), /Network fault 1 has/],
    ['a reply that grows', 'PUT', '/reply-rules', reply('{message}'.repeat(9)), /with up to 3600 characters/],
  ] as const)('%s', async ([, method, path, body, words]) => {
    const refused = await ask(method, inTenant(path), body)
    expect(refused).toEqual({ status: 409, text: expect.stringMatching(words) as string })
  })
})

test.for([
  ['events', { events: Array(33).fill('leads.submit') }],
  ['actions', { actions: Array.from({ length: 33 }, () => ({ actionName: 'a' })) }],
  ['buttons', { presentation: { buttons: Array(101).fill('') } }],
] as const)('a reply rule with more %s than one turn may make is refused', async ([name, more]) => {
  const refused = await ask('PUT', inTenant('/reply-rules'), { replyRules: [{ match: {}, reply: more }] })
  expect(refused).toEqual({ status: 400, text: expect.stringMatching(`${name}.*must NOT have`) as string })
})

test('a body of the control plane that is nested too deep is refused', async () => {
  const payload = JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`) as object
  const refused = await ask('POST', inTenant('/events'), { event: 'leads.submit', payload: { payload } })
  expect(refused).toEqual({ status: 400, text: expect.stringMatching(/nested too deep/) as string })
})

test('with as many requests in flight as there may be, a further one gets 503 until one ends', async () => {
  const { agents, keys, barriers, url } = simulator.tenant
  const leave = new AbortController()
  const turn = (key: string) =>
    fetch(`${url}/api/v1/chat/${agents.plain}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.main}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ message: 'hello', stream: true }),
      signal: leave.signal,
    })
  const barrier = barriers.hold({ at: 'before-run' })
  const held = ['a', 'b', 'c'].map((key) => turn(key))
  await barrier.reached(3)
  const refused = await turn('d')
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({
    error: expect.stringMatching(/UNAVAILABLE|Too many requests/) as string,
  })
  // The control plane is no part of it.
  expect((await ask('GET', inTenant('/clock'))).status).toBe(200)
  barrier.release()
  for (const answer of await Promise.all(held)) expect(await answer.text()).toContain('"type":"done"')
  const after = await turn('d')
  expect([after.status, (await after.text()).includes('"type":"done"')]).toEqual([200, true])
})

test('a journal that is too large for one answer is given from its end', async () => {
  const { agents, keys, url } = simulator.tenant
  for (const key of ['x', 'y', 'z'])
    await fetch(`${url}/api/v1/chat/${agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.main}`, 'idempotency-key': key },
      body: JSON.stringify({ message: `${key}${'o'.repeat(60)}` }),
    })
  const { text } = await ask('GET', inTenant('/journal?header=idempotency-key:%20z'))
  const last = JSON.parse(text) as { entries: { id: number }[]; left: number }
  expect([last.entries.length, last.left]).toEqual([1, 0])
  const whole = JSON.parse((await ask('GET', inTenant('/journal'))).text) as typeof last
  expect(whole.entries).toEqual(last.entries)
  expect(whole.left).toBe(simulator.tenant.journal.entries().length - 1)
})

test.for([
  [{ tenants: 0 }, /tenants is 0/],
  [{ tenants: 1.5 }, /tenants is 1\.5/],
  [JSON.parse('{"streams":1}') as object, /no limit "streams"/],
  [JSON.parse('{"__proto__": 1}') as object, /no limit "__proto__"/],
] as const)('%j are no limits', ([chosen, words]) => {
  expect(() => limitsWith(chosen)).toThrow(words)
})

test('the page has every limit, as it is', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/security.md', import.meta.url)), 'utf8')
  const rows = [...page.matchAll(/^- `(\w+)` \(([\d,]+)\): /gm)].map(([, name, value = '']) => [
    name,
    Number(value.replaceAll(',', '')),
  ])
  expect(rows).toEqual(Object.entries(simulatorLimits))
})
