import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { states } from '../../spec/index.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
let simulator: Simulator
beforeEach(async () => void (simulator = await createSimulator()))
afterEach(() => simulator.close())

/** A file for the simulator, as somebody would write it who knows nothing of its control protocol. */
function fileWith(provided: Readonly<Record<string, string>> = {}, more: readonly string[] = []): string {
  const { agents } = simulator.tenant
  const path = join(folder, 'touchstone.yaml')
  const text = [
    'apiVersion: touchstone/v1',
    `target: { name: ours, kind: staging, baseUrl: "${simulator.url}" }`,
    'principals:',
    '  main: { bearer: "env:MAIN", scopes: [chat, read_agents, billing_read] }',
    '  former: { bearer: "env:FORMER", scopes: [chat], revoked: true }',
    `agents: { plain: ${agents.plain}, second: ${agents.second} }`,
    ...more,
    'states:',
    ...Object.keys(states).map(
      (state) => `  ${state}: ${provided[state] ?? '{ provide: none, why: not here }'}`,
    ),
  ]
  writeFileSync(path, text.join('\n'))
  return path
}

const env = (): Record<string, string> => ({
  MAIN: simulator.tenant.keys.main,
  FORMER: simulator.tenant.keys.revoked,
})
const requests = (): number => simulator.tenant.journal.entries().length

interface Case {
  provided?: Readonly<Record<string, string>>
  more?: readonly string[]
  /** Changes the text of the file. */
  change?: (text: string) => string
  env?: () => Readonly<Record<string, string>>
  code: number
  says: readonly (string | RegExp)[]
}

const withKeys =
  (...keys: readonly string[]) =>
  (text: string): string =>
    text.replace('agents:', `${keys.join('\n')}\nagents:`)

const cases: Readonly<Record<string, Case>> = {
  'a revoked key that is valid, and a fixture without a presentation': {
    provided: { 'workflow.current': '{ provide: fixture, agent: second, message: Hello }' },
    env: () => ({ FORMER: simulator.tenant.keys.noChat }),
    code: 2,
    says: [
      '✗ principals.former: it is declared revoked, and is still valid (403); withdraw the key\n',
      /✗ states\.workflow\.current: the target file declares .* but no reply had a `presentation`/,
    ],
  },
  'a key that nobody knows': {
    more: [
      'session: { headers: { X-Other: "env:MAIN" } }',
      'fixtures: { operations: { list: { id: agents.list, input: {}, receipt: completed } } }',
    ],
    env: () => ({ MAIN: 'sk-nobody-knows-it' }),
    code: 2,
    says: [
      '✗ principals.main: the key is refused with 401; give a valid one as principals.main.bearer\n',
      '✗ session: listing the webhooks of agents.plain was answered 401; check the name and the value of the header in session.headers, and sign in again\n',
      '✗ fixtures.operations: listing operations was answered 401; the ordinary key is invalid: check its `bearer` under principals\n',
    ],
  },
  'scopes that a key has not, or has beside those that are stated': {
    change: withKeys(
      '  noBilling: { bearer: "env:NO_BILLING", scopes: [chat, billing_read] }',
      '  second: { bearer: "env:SECOND", scopes: [chat] }',
      '  own: { bearer: "env:ONE_AGENT", scopes: [chat, reports] }\ndialect: { scopes: [reports] }',
    ),
    env: () => {
      const { noBilling, second, oneAgent } = simulator.tenant.keys
      return { NO_BILLING: noBilling, SECOND: second, ONE_AGENT: oneAgent }
    },
    code: 2,
    says: [
      '✗ principals.noBilling.scopes: the usage was answered 403, with billing_read; take it out of principals.noBilling.scopes, or give it to the key\n',
      '✗ principals.second.scopes: the usage was answered 200, without billing_read; add it',
      '– principals.own.scopes: the usage was answered 200, which reports may allow\n',
    ],
  },
  'an agent that fails': {
    change: (text) => text.replace(simulator.tenant.agents.plain, simulator.tenant.agents.failing),
    code: 3,
    says: ['✗ agents.plain: a turn got 500; look at the log of the service\n'],
  },
  'a control protocol that is not there': {
    provided: { 'server.500': '{ provide: control }' },
    change: (text) => `${text}\ncontrol: { url: "${simulator.url}/nowhere" }`,
    code: 3,
    says: [
      /✗ control: the control protocol at .* listed no `states`: .*; fix control\.url/,
      '– states.server.500: the control protocol did not say whether it has it\n',
    ],
  },
  'a proxy that does not answer': {
    change: (text) => text.replace('kind: staging', 'kind: staging, proxy: "http://127.0.0.1:1"'),
    code: 4,
    says: [
      ' cannot be reached through target.proxy (',
      'check target.proxy and that the proxy is up, then target.baseUrl\n',
    ],
  },
}

describe('touchstone doctor', () => {
  test.for(Object.entries(cases))('finds %s', async ([, one]) => {
    const path = fileWith(one.provided, one.more)
    if (one.change) writeFileSync(path, one.change(readFileSync(path, 'utf8')))
    const own = { ...env(), ...one.env?.() }
    const { code, out, err } = await run(['doctor', path], { env: own, width: 2000 })
    const isSaid = (words: string | RegExp): boolean =>
      typeof words === 'string' ? (out + err).includes(words) : words.test(out + err)
    expect([code, one.says.filter((words) => !isSaid(words))], out + err).toEqual([one.code, []])
    expect(out + err).not.toContain('sk-nobody')
  })

  test('says of each thing that it is as the file says, and ends with 0', async () => {
    const path = fileWith()
    const { code, out, err } = await run(['doctor', path], { env: env(), width: 2000 })
    expect(out).toContain(`✓ target.baseUrl: ${simulator.url} answers\n`)
    expect(out).toContain('✓ principals.main: the key is accepted\n')
    expect(out).toContain('✓ principals.former: the key is refused, as one that is revoked\n')
    expect(out).toContain(`✓ agents.plain: ${simulator.tenant.agents.plain} is there\n`)
    expect(out).toContain(`✓ agents.second: ${simulator.tenant.agents.second} is there\n`)
    expect(out).toMatch(/^7 ok, 0 wrong, 20 not checked\n\n✓ /)
    expect(out).toMatch(/\n– states: 20 not set up: their checks are skipped \(--verbose lists them\)\n$/)
    expect(out).not.toContain('states.chat.paused')
    expect(err).toBe('Sends at most 9 requests, with 1 turn.\n')
    expect(code).toBe(0)
    expect(requests()).toBe(9)
    expect(out).toContain('✓ target.vendor: a replay carries X-Service-Idempotent-Replay\n')
  })

  test('looks at every key, and takes no more than 8 turns, however much a file declares', async () => {
    const named =
      'workflow.current stream.tool stream.gate stream.error server.500 server.503 turn.slow rate.limited'
    const provided = Object.fromEntries(
      named.split(' ').map((state) => [state, `{ provide: fixture, agent: second, message: ${state} }`]),
    )
    const keys = Array.from({ length: 22 }, (_, i) => `  key${i}: { bearer: "env:KEY_${i}", scopes: [chat] }`)
    const path = fileWith(provided)
    const spare = Object.fromEntries(keys.map((_, i) => [`KEY_${i}`, `sk-spare-${i}`]))
    writeFileSync(path, readFileSync(path, 'utf8').replace('agents:', `${keys.join('\n')}\nagents:`))
    const { out, err } = await run(['doctor', path], { width: 2000, env: { ...env(), ...spare } })
    expect(err).toBe('Sends at most 60 requests, with 8 turns.\n')
    expect(requests()).toBe(59)
    expect(out).toContain('✗ principals.key21')
  })
})
