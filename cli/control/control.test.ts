import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { run } from '../process.testkit.ts'
import { sessionHeader } from '../simulate/greeting.ts'

const token = 'a-token-of-the-test'
let simulator: Simulator
let guarded: Simulator
let other: ReturnType<typeof createServer>
let env: Record<string, string>
beforeAll(async () => {
  simulator = await createSimulator({ seed: 'commands', clock: { mode: 'frozen' } })
  guarded = await createSimulator({ seed: 'guarded', controlToken: token })
  other = createServer((_, response) => response.writeHead(404).end('<h1>Nothing here</h1>')).listen(0)
  await once(other, 'listening')
  env = { TOUCHSTONE_CONTROL_URL: simulator.url, TOKEN: token, WRONG: 'another-token-of-the-test' }
  await post(`/api/agents/${simulator.tenant.agents.plain}/webhooks`, [sessionHeader(simulator.tenant)], {
    name: 'Mine',
    endpoint_url: 'http://localhost:1/',
    events: ['leads.submit'],
  })
  // An operation that needs the approval of the owner.
  await post(
    '/api/v1/operation-executions/customers.erase',
    [
      ['authorization', `Bearer ${simulator.tenant.keys.main}`],
      ['idempotency-key', 'first'],
    ],
    { input: { customerId: 'cus_1001', reason: 'duplicate' } },
  )
})
afterAll(async () => {
  await Promise.all([simulator.close(), guarded.close()])
  other.close()
})

function post(path: string, headers: [string, string][], body: object): Promise<Response> {
  const all = [...headers, ['content-type', 'application/json']] as [string, string][]
  return fetch(`${simulator.url}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) })
}

/** In succession, on one simulator. */
const lines: readonly (readonly [line: string, out: RegExp])[] = [
  ['trigger --list', /^leads\.submit +A customer submits/],
  ['trigger leads.submit', /^leads\.submit: 1 delivery: whd_\w+\n$/],
  ['trigger leads.submit --agent second', /no deliveries, because no active webhook of agent second has/],
  ['trigger order.confirmed --data {"order_id":"1"}', /^order\.confirmed: no deliveries/],
  ['clock next', /^2030-01-01T00:\d\d:\d\d\.\d{3}Z {2}1 timer fired/],
  ['clock', /^2030-\S+ {2}frozen, 1 timer waiting, the next in [\d.]+ s\n$/],
  ['deliveries', /^2030-01-01T00:00:00\.000Z {2}whd_\w+ {2}leads\.submit {2}\w+ {2}waiting {2}attempt \d: /],
  ['clock +1h', /^2030-01-01T01:\S+ {2}\d+ timers? fired, none is left\n$/],
  ['resend', /^sent leads\.submit whd_\w+ again, as whd_\w+\n$/],
  ['resend --duplicate', /^sent leads\.submit whd_\w+ again, as a duplicate\n$/],
  ['approvals', /^2030-\S+ {2}appr_\w+ {2}customers\.erase {2}pending\n$/],
  ['approve', /^approved appr_\w+ \(customers\.erase\)\n$/],
  ['pause plain', /^paused agent plain \(agent_\w+\)\n$/],
  ['resume plain', /^resumed agent plain/],
  ['fault on replay-unmarked codes-in-lower-case', /^on: replay-unmarked, codes-in-lower-case\n$/],
  ['variant on ascii-json', /^on: ascii-json\n$/],
  ['fault off replay-unmarked', /^on: codes-in-lower-case\n$/],
  ['fault list', /^on: codes-in-lower-case\n$/],
  ['fault off', /^no fault is on\n$/],
  ['variant list', /^on: ascii-json\n$/],
  ['snapshot list', /^no snapshots\n$/],
  ['snapshot save before', /^saved before \(\d+ bytes\)\n$/],
  ['snapshot list', /^2030-\S+ {2}before {2}\d+ bytes\n$/],
  ['snapshot restore before', /^restored before\n$/],
  ['snapshot download before', /^\{"format":"touchstone-snapshot\/1","seed":"commands"/],
  ['snapshot delete before', /^deleted before\n$/],
  ['interpret GAP-IDENTICAL=conflict', /^GAP-IDENTICAL=conflict\n$/],
  ['interpret', /^GAP-IDENTICAL=conflict$/m],
  [
    'clock set 2031-05-01T00:00:00Z',
    /^2031-05-01T00:00:00\.000Z {2}frozen, 2 timers waiting, the next is due\n$/,
  ],
  ['clock real', /real time/],
  ['clock scale 60', /60 times as fast as real time/],
  ['clock freeze', /frozen/],
]

test('commands print one line each', async () => {
  for (const [line, expected] of lines) {
    const { code, out, err } = await run(['sim', ...line.split(' ')], { env })
    expect(out, `${line}: ${err}`).toMatch(expected)
    expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
  }
})

test('with --json they print one object', async () => {
  const rows = { 'fault list': { faults: [] }, approvals: { approvals: [{ state: 'approved' }] } }
  for (const [line, expected] of Object.entries(rows)) {
    const { out } = await run(['sim', ...line.split(' '), '--json'], { env })
    expect(JSON.parse(out)).toMatchObject(expected)
  }
})

/** GUARDED and OTHER stand for the addresses of those servers. */
test.for<[line: string, message: RegExp]>([
  ['pause plan', /^error: no agent plan; did you mean plain\?/],
  ['resend whd_0', /^error: no delivery whd_0; /],
  ['approve', /^error: no approval is pending\./],
  ['approve appr_0', /^error: no approval appr_0; /],
  ['trigger leads.submit --agent plan', /no agent plan; did you mean plain\?/],
  ['fault on replay-unmarkd', /no fault replay-unmarkd; did you mean replay-unmarked\?/],
  ['interpret GAP-IDENTICL=replay', /no unspecified point GAP-IDENTICL; did you mean GAP-IDENTICAL\?/],
  ['interpret GAP-IDENTICAL=replai', /unknown interpretation; did you mean replay\?/],
  ['clock --tenant none', /There is no tenant `none` at \S+; there are: tenant_\w+ \(default\)\./],
  ['clock --control GUARDED', /requires its control token: give --control-token env:NAME/],
  ['tail --control GUARDED --control-token env:WRONG', /refuses this control token/],
  ['clock --control OTHER', /has no control routes \(GET \S+ returned 404\): give the URL of a simulator/],
])('%s', async ([line, message]) => {
  const { port } = other.address() as AddressInfo
  const words = line.replace('GUARDED', guarded.url).replace('OTHER', `http://localhost:${port}`).split(' ')
  const { code, out, err } = await run(['sim', ...words], { env })
  expect(err).toMatch(message)
  expect(err).toMatch(/^error: .*\n$/)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('the token comes from the option or the environment', async () => {
  const words = ['sim', 'clock', '--control', guarded.url]
  const both = await Promise.all([
    run([...words, '--control-token', 'env:TOKEN'], { env }),
    run(words, { env: { TOUCHSTONE_CONTROL_TOKEN: token } }),
  ])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
})
