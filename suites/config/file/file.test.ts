import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scopes, states } from '../../../spec/index.ts'
import { optIns, profiles } from '../target.ts'
import { ConfigurationError } from '../configuration-error.ts'
import { defaultBudgets, defaultTiming } from '../defaults.ts'
import { loadTarget, parseTarget } from './file.ts'
import schema from '../schema.json' with { type: 'json' }
import { anyEvent, anyNear } from '../states.ts'

const env = { KEY: 'sk-secret', KEY_2: 'sk-other', EMPTY: '' }
const none = 'provide: none, why: not here'
const whole = [
  'apiVersion: touchstone/v1',
  'target: { name: acme, kind: staging, baseUrl: "https://chat.example.test/base/" }',
  'principals:',
  '  main: { bearer: "env:KEY", scopes: [chat] }',
  'agents:',
  '  plain: agent-1',
  'states:',
  ...Object.keys(states).map((state) => `  ${state}: { ${none} }`),
].join('\n')

function problems(text: string): readonly string[] {
  try {
    parseTarget(text, 'target.yaml', env)
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown.problems
    throw thrown
  }
}

test('a small file loads with every default', () => {
  expect(parseTarget(whole, 'target.yaml', env)).toMatchObject({
    baseUrl: 'https://chat.example.test/base',
    principals: [{ name: 'main', bearer: 'sk-secret', agents: '*', account: 'main', sacrificial: false }],
    agents: { plain: 'agent-1' },
    control: null,
    budgets: defaultBudgets,
    timing: defaultTiming,
    profile: 'standard',
    optIn: [],
    exclusiveCredits: false,
    policy: { knownFailures: [], expectedNotExercised: [] },
  })
})

test('the example in the guide loads, with agents and principals by name', () => {
  const path = new URL('../../../docs/target.example.yaml', import.meta.url).pathname
  const names = [...readFileSync(path, 'utf8').matchAll(/env:([A-Z_]+)\b(?! or)/g)].map(
    ([, name = '']) => name,
  )
  const given = Object.fromEntries(names.map((name) => [name, `https://${name.toLowerCase()}.test`]))
  const target = loadTarget(path, given)
  expect(target.principals.find(({ name }) => name === 'oneAgent')?.agents).toEqual([
    'https://agent_second.test',
  ])
  expect(target.states['chat.paused']).toEqual({ provide: 'fixture', agent: 'https://agent_paused.test' })
  expect(target.states['credits.exhausted']).toEqual({ provide: 'fixture', principal: 'broke' })
  expect(target.control).toEqual({ url: 'https://control_url.test', token: 'https://control_token.test' })
})

test('three mistakes of a file are reported at once, also when one is a key written out', () => {
  const text = whole
    .replace('"env:KEY"', 'sk-live-abc')
    .replace('kind: staging', 'kind: stagin')
    .replace('scopes: [chat]', 'scope: [chat]')
    .replace('plain: agent-1', 'plain: env:AGENT_MISSING')
  expect(problems(text)).toEqual([
    'target.yaml:4: principals.main.bearer is an API key written out; give it as env:NAME or file:path',
    'target.yaml:2: target.kind is "stagin"; did you mean "staging"?',
    'target.yaml:4: principals.main lacks "scopes"; add it',
    'target.yaml:4: unknown key "scope" in principals.main; did you mean "scopes"?',
    'target.yaml:6: agents.plain: the environment variable AGENT_MISSING is not set; set it',
  ])
})

test('an unclosed bracket is reported with the place where it was opened', () => {
  const text = whole.replace('scopes: [chat] }', "scopes: [chat] # it's } or {")
  expect(problems(text)[0]).toMatch(/^target\.yaml:5: not YAML: .*; the { was opened on line 4, column 9$/)
})

test('a secret is read from a file beside the target file, without its line end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  try {
    writeFileSync(join(folder, 'key'), 'sk-from-file\n')
    writeFileSync(join(folder, 'target.yaml'), whole.replace('env:KEY', 'file:key'))
    expect(loadTarget(join(folder, 'target.yaml'), {}).principals[0]?.bearer).toBe('sk-from-file')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const withState = (state: string, written: string): string =>
  whole.replace(`  ${state}: { ${none} }`, `  ${state}: { ${written} }`)
const lineOf = (state: string): number => 8 + Object.keys(states).indexOf(state)

const bad: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'an unknown key',
    whole.replace('kind: staging', 'kind: staging, basUrl: x'),
    'target.yaml:2: unknown key "basUrl" in target; did you mean "baseUrl"?',
  ],
  [
    'an unknown key at the top',
    `${whole}\nbudget: { turns: 1 }`,
    `target.yaml:${8 + Object.keys(states).length}: unknown key "budget"; did you mean "budgets"?`,
  ],
  [
    'an unknown state',
    withState('chat.paused', none).replace('chat.paused', 'chat.pause'),
    `target.yaml:${lineOf('chat.paused')}: unknown key "chat.pause" in states; did you mean "chat.paused"?`,
  ],
  [
    'an unknown scope',
    whole.replace('[chat]', '[chats]'),
    'target.yaml:4: principals.main.scopes.0 is "chats"; did you mean "chat"?',
  ],
  [
    'a member that is missing',
    whole.replace('name: acme, ', ''),
    'target.yaml:2: target lacks "name"; add it',
  ],
  [
    'a wrong type',
    `${whole}\nexclusiveCredits: "yes"`,
    `target.yaml:${8 + Object.keys(states).length}: exclusiveCredits is "yes"; give true or false`,
  ],
  [
    'another version',
    whole.replace('touchstone/v1', 'touchstone/v2'),
    'target.yaml:1: apiVersion is "touchstone/v2"; it has to be "touchstone/v1"',
  ],
  [
    'a key written out',
    whole.replace('"env:KEY"', 'sk-live-abc'),
    'target.yaml:4: principals.main.bearer is an API key written out; give it as env:NAME or file:path',
  ],
  [
    'a secret of another kind written out',
    whole.replace('"env:KEY"', 'hunter2'),
    'target.yaml:4: principals.main.bearer is a secret; give it as env:NAME or file:path, never as itself',
  ],
  [
    'an environment variable that is not set',
    whole.replace('env:KEY', 'env:KEY_MISSING'),
    'target.yaml:4: principals.main.bearer: the environment variable KEY_MISSING is not set; set it',
  ],
  [
    'an environment variable that is empty',
    whole.replace('env:KEY', 'env:EMPTY'),
    'target.yaml:4: principals.main.bearer: the environment variable EMPTY is empty; set it',
  ],
  [
    'a file that is not there',
    whole.replace('env:KEY', 'file:/no/such/key'),
    'target.yaml:4: principals.main.bearer: the file /no/such/key cannot be read; create it, or give the right path',
  ],
  [
    'an address that is none',
    whole.replace('https://chat.example.test/base/', 'chat.example.test'),
    'target.yaml:2: target.baseUrl is "chat.example.test"; give an address such as https://host/path',
  ],
  [
    'a fixture with an agent that is not declared',
    withState('chat.paused', 'provide: fixture, agent: plane'),
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused.agent names "plane", which is not declared; did you mean "plain"?`,
  ],
  [
    'a fixture of nothing',
    withState('chat.paused', 'provide: fixture'),
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused is provided by a fixture; say which agent, message, principal or session`,
  ],
  [
    'none without a reason',
    withState('server.500', 'provide: none'),
    `target.yaml:${lineOf('server.500')}: states.server.500 is provided by none; say why`,
  ],
  [
    'a state that the wire cannot bring about',
    withState('server.500', 'provide: wire'),
    `target.yaml:${lineOf('server.500')}: states.server.500 cannot come about on the wire alone; provide it by fixture, control or none`,
  ],
  [
    'control that is not declared',
    withState('server.503', 'provide: control'),
    `target.yaml:${lineOf('server.503')}: states.server.503 is provided by control, but no control is declared; add control.url`,
  ],
  [
    'control on a production target',
    `${withState('server.503', 'provide: control').replace('kind: staging', 'kind: production')}\ncontrol: { url: "http://x" }`,
    `target.yaml:${lineOf('server.503')}: states.server.503 is provided by control, which is not used on a production target; provide it by fixture or none`,
  ],
  [
    'a clock that cannot be advanced',
    `${whole}\ntiming: { clock: control }`,
    `target.yaml:${8 + Object.keys(states).length}: timing.clock is control, but no control is declared; add control.url`,
  ],
  [
    'a known failure without an end',
    `${whole}\npolicy:\n  knownFailures:\n    - { check: a/b/C, fingerprint: 0123456789ab, owner: me, reason: why, created: 2030-01-01, expires: soon }`,
    `target.yaml:${10 + Object.keys(states).length}: policy.knownFailures.0.expires is "soon"; give a date such as 2030-01-31`,
  ],
  [
    'what is not YAML',
    'target: [',
    'target.yaml:1: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; the [ was opened on line 1, column 9',
  ],
]

describe('a file is refused in one clear line for', () => {
  test.for(bad)('%s', ([, text, message]) => {
    expect(problems(text)).toEqual([message])
  })
})

test('a state that is not mentioned is refused with lines to paste, unless it can come about alone', () => {
  const without = whole
    .split('\n')
    .filter((line) => !/^ {2}(server\.503|rate\.limited|turn\.slow):/.test(line))
    .join('\n')
  const [problem = ''] = problems(without)
  expect(problem).toBe(
    'target.yaml:7: nothing is said of server.503; say how each comes about, or paste under states:\n  server.503: { provide: none, why: "not prepared on this target" }',
  )
  expect(problems(`${without}\n${problem.split('\n').slice(1).join('\n')}`)).toEqual([])
})

test('a file that is not there is refused by its name', () => {
  expect(() => loadTarget('/no/such.yaml', {})).toThrow(
    new ConfigurationError('target file /no/such.yaml: not found; check the path'),
  )
})

test('what is said of every event stands for those that have no line of their own', () => {
  const single = whole.replace(/^ {2}(?:event|webhook)\..*\n?/gm, '').trimEnd()
  const said = '  event.*: { provide: manual, instruction: "Make {{event}} happen." }\n'
  const named = '  event.order.confirmed: { provide: none, why: no orders }'
  const { states: provided } = parseTarget(`${single}\n${said}${named}`, 'target.yaml', env)
  expect(provided['event.leads.submit']).toMatchObject({ provide: 'manual' })
  expect(provided['event.order.confirmed']).toEqual({ provide: 'none', why: 'no orders' })
  expect(provided['webhook.inactive']).toBe(undefined)
  expect(Object.keys(parseTarget(single, 'target.yaml', env).states)).not.toContain('event.leads.submit')
})

test('the published schema knows the states, scopes, profiles and opt-ins of the contract and the suite', () => {
  const { properties, $defs } = schema
  expect(Object.keys(properties.states.properties).toSorted()).toEqual(
    [...Object.keys(states), anyEvent, anyNear].toSorted(),
  )
  expect($defs.principal.properties.scopes.items.enum).toEqual(scopes)
  expect(properties.profile.enum).toEqual(profiles)
  expect(properties.optIn.items.enum).toEqual(optIns)
  expect(mapDefaults(properties.budgets.properties)).toEqual(defaultBudgets)
  expect(mapDefaults(properties.timing.properties)).toEqual(defaultTiming)
})

function mapDefaults(properties: Readonly<Record<string, { default: unknown }>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default]))
}
