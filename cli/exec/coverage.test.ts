/** Every row of the table is met by the cause that it names. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createSimulator,
  type PreparedStep,
  type Simulator,
  type SituationName,
  type Tenant,
  type TenantOptions,
} from '../../simulator/index.ts'
import { controlPath } from '../../simulator/route.ts'
import { coverageRows, type CoverageRow } from '../../suites/traffic/coverage.ts'
import { createCoverage, coverageReport, coverageText, requiredRows } from './coverage.ts'

let simulator: Simulator
let coverage = createCoverage()
beforeAll(async () => {
  const onJournalEnd: TenantOptions['onJournalEnd'] = (journal, identifiers) =>
    coverage.read({ entries: journal.entries(), dropped: journal.dropped, identifiers })
  simulator = await createSimulator({ journalCredentials: 'kept', onJournalEnd })
})
afterAll(() => simulator.close())

type Request = Pick<PreparedStep, 'method' | 'path' | 'headers' | 'body' | 'timeoutMs'>

async function send({ method, path, headers, body, timeoutMs }: Request): Promise<string> {
  const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
  const given = headers.map(([name, value]): [string, string] => [name, value])
  return fetch(`${simulator.url}${path}`, {
    method,
    headers: given,
    body: body && JSON.stringify(body),
    signal,
  })
    .then((response) => response.text())
    .catch(() => 'no response')
}

const turn = ({ agents, keys }: Tenant, key: string, body: PreparedStep['body']): Request => ({
  method: 'POST',
  path: `/api/v1/chat/${agents.plain}`,
  headers: [
    ['authorization', `Bearer ${keys.main}`],
    ['idempotency-key', key],
  ],
  body,
})

/** Before the requests of an import. */
async function sendControl(control: string, tenant: Tenant): Promise<readonly PreparedStep[]> {
  const { task, idempotencyKey, steps } = await tenant.prepareSituation('import-task')
  const filled = control.replace('{id}', task).replace('…', idempotencyKey)
  const [, path, body] = /^POST (\S+) (.+)$/.exec(filled) ?? []
  const url = `${simulator.url}${controlPath(tenant)}${path}`
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(url, { method: 'POST', headers, body: body ?? '' })
  expect(status).toBeLessThan(300)
  return steps
}

async function stepsOf({ cause }: CoverageRow, tenant: Tenant): Promise<readonly Request[]> {
  if ('control' in cause) return sendControl(cause.control, tenant)
  if ('situation' in cause) return (await tenant.prepareSituation(cause.situation as SituationName)).steps
  tenant.addNetworkFaults([{ do: cause.networkFault }])
  return [turn(tenant, 'order-1001', { message: 'Where is my order?', stream: true })]
}

/** In a tenant of its own; resolves with what was met. */
async function covered(requests: (tenant: Tenant) => readonly Request[] | Promise<readonly Request[]>) {
  coverage = createCoverage()
  const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
  for (const request of await requests(tenant)) await send(request)
  // A reset ends the journal as the end of the tenant does, and each counts once.
  tenant.reset()
  tenant.close()
  return coverage
}

const met = (of: typeof coverage) =>
  Object.fromEntries(coverageRows.flatMap((row) => (of.timesOf(row) > 0 ? [[row.id, of.timesOf(row)]] : [])))

test.for(coverageRows.map((row) => [row.id, row] as const))('%s is met', async ([id, row]) => {
  expect(met(await covered((tenant) => stepsOf(row, tenant)))).toHaveProperty([id])
})

test.for<[what: string, met: object, ...bodies: NonNullable<PreparedStep['body']>[]]>([
  ['nothing', {}],
  ['a reply', { 'reply.filled': 1 }, { message: 'a' }],
  ['a stream', { 'event.token': 1, 'event.done': 1 }, { message: 'a', stream: true }],
  ['a refusal of what no client sends', {}, {}],
])('%s meets no more than it has', async ([, expected, ...bodies]) => {
  const of = await covered((tenant) => bodies.map((body) => turn(tenant, 'order-1001', body)))
  expect(of.totals).toEqual({ requests: bodies.length, evicted: 0 })
  expect(met(of)).toEqual(expected)
})

const key = (number: number) => `an-idempotency-key-of-its-own-${number}`

test('a client that breaks a rule is reported with the request, and without its key', async () => {
  const of = await covered((tenant) => [
    turn(tenant, key(1), { message: 'One coffee.' }),
    turn(tenant, key(1), { message: 'Two coffees.' }),
    { ...turn(tenant, key(2), { message: 'a' }), path: `/api/v1/chat/agent_1?key=${tenant.keys.main}` },
  ])
  const text = coverageText(of, requiredRows(['stream.r*']), 200)
  expect(text).toContain(
    `LIB-SENT-AGAIN: expected a key that is used for one message, got another message under the same key: POST /api/v1/chat/`,
  )
  expect(text).toMatch(/^! LIB-KEY-SERVER-SIDE: .*\?key=\[redacted\], key an-.*, status 404$/m)
  expect(text).toContain('Required, and not met: stream.replayed (unknown-event)\n')
  expect(JSON.stringify(coverageReport(of, []))).not.toMatch(/\bsk-/)
})

test('the first turn of another key is no retry of one without a reply', async () => {
  const of = await covered((tenant) => {
    tenant.addNetworkFaults([{ do: { is: 'cut', when: 'in' } }])
    const ofKey = (main: string) => ({ ...tenant, keys: { ...tenant.keys, main } })
    const { main, other } = tenant.keys
    return [main, other].map((one, at) => turn(ofKey(one), key(at), { message: 'a' }))
  })
  expect([of.totals.requests, of.violations()]).toEqual([2, []])
})

test('what a journal has evicted is said', async () => {
  coverage = createCoverage()
  const tenant = simulator.createTenant({ journalCapacity: 2 })
  for (const number of [1, 2, 3]) await send(turn(tenant, key(number), { message: 'a' }))
  tenant.close()
  const words = 'Requests not counted, as the journal of their tenant was full: 1.'
  expect(coverageText(coverage, [], 100)).toContain(words)
})

test('the page of the documentation names every row', () => {
  const page = readFileSync(new URL('../../docs/coverage.md', import.meta.url), 'utf8')
  const named = [...page.matchAll(/^- `(\w+)`: (.+)$/gm)].flatMap(([, family, names = '']) =>
    names.split(', ').map((name) => `${family}.${name.replaceAll('`', '')}`),
  )
  expect(named.sort()).toEqual(coverageRows.map(({ id }) => id).sort())
})
