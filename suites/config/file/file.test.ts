import { secretsOf } from '../secret-values.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, onTestFinished } from 'vitest'
import { environment, problemsOf, wholeFile as whole } from './file.testkit.ts'
import { loadBasis, loadTarget, parseTarget } from './file.ts'
import type { Target } from '../target.ts'
import { temporaryFolder } from '../../../spec/testing/machine.testkit.ts'

test('a secret is read from a file beside the target file, without its line end', () => {
  const folder = temporaryFolder(onTestFinished)
  writeFileSync(join(folder, 'key'), 'sk-from-file\n')
  writeFileSync(join(folder, 'target.yaml'), whole.replace('env:KEY', 'file:key'))
  expect(loadTarget(join(folder, 'target.yaml'), {}).principals[0]?.bearer).toBe('sk-from-file')
})

test('to judge alone, no secret and no state of a file is needed, and what it says of judging is checked', () => {
  const file = join(temporaryFolder(onTestFinished), 'target.yaml')
  const policy = 'policy: { expectedNotExercised: [{ pattern: x, reason: r }] }'
  const withoutStates = whole.replace(/^states:\n(?: .*\n?)*/m, '')
  writeFileSync(file, `${withoutStates}\n${policy}\ndialect: { scopes: [own] }\n`)
  expect(loadBasis(file, {})).toMatchObject({
    dialect: { scopes: ['own'] },
    policy: { flaky: [], expectedNotExercised: [{ pattern: 'x' }] },
  })
  writeFileSync(file, `${whole}\n${policy.replace('policy', 'polcy').replace(', reason: r', '')}\n`)
  expect(() => loadBasis(file, {})).toThrow(/unknown key "polcy".*policy/)
  writeFileSync(file, `${whole}\n${policy.replace(', reason: r', '')}\n`)
  expect(() => loadBasis(file, {})).toThrow(/lacks "reason"/)
})

const path = fileURLToPath(new URL('../../../docs/target.example.yaml', import.meta.url))

/** The example, with an environment in which every variable holds an address of its own. */
function example(): Target {
  const names = [...readFileSync(path, 'utf8').matchAll(/env:([A-Z_]+)\b(?! or)/g)].map(
    ([, name = '']) => name,
  )
  return loadTarget(
    path,
    Object.fromEntries(names.map((name) => [name, `https://${name.toLowerCase()}.test`])),
  )
}

test('what is under test, and where, is read', () => {
  expect(example()).toMatchObject({
    implementation: {
      organization: 'Acme',
      project: 'chat-api',
      version: 'https://release.test',
      url: 'https://acme.example/chat-api',
      contact: ['chat-team@acme.example'],
    },
    replicas: ['https://replica_url.test'],
    requestIdHeader: 'X-Acme-Request',
    tls: { ca: null },
    headers: [['X-Gateway-Pass', 'https://gateway_pass.test']],
    receiver: {
      mode: 'public',
      listen: '127.0.0.1:8099',
      publicUrl: 'https://receiver_url.test',
      waitSeconds: 90,
      scenariosAtOnce: 60,
    },
  })
})

test('who there is, and what stands ready, is read with names looked up', () => {
  const { principals, session, fixtures, features, states, control } = example()
  const named = (wanted: string) => principals.find(({ name }) => name === wanted)
  expect(named('oneAgent')?.agents).toEqual(['https://agent_second.test'])
  expect(states['chat.paused']).toEqual({ provide: 'fixture', agent: 'https://agent_paused.test' })
  expect(states['credits.exhausted']).toEqual({ provide: 'fixture', principal: 'broke' })
  expect(control).toEqual({ url: 'https://control_url.test', token: 'https://control_token.test' })
  expect(named('main')?.pool).toEqual(['https://key_main_two.test'])
  expect(named('former')).toMatchObject({ revoked: true, sacrificial: false })
  expect(named('second')).not.toHaveProperty('revoked')
  expect(session).toEqual({ headers: [['Cookie', 'https://session_cookie.test']] })
  expect(fixtures).toMatchObject({
    messages: { plain: 'Please reply with one short sentence.' },
    echo: { agent: 'https://agent_parrot.test', message: 'Repeat, and add nothing: {text}' },
  })
  const operation = (wanted: string) => fixtures.operations.find(({ name }) => name === wanted)
  expect(operation('list-notes')).toEqual({
    name: 'list-notes',
    id: 'notes.list',
    input: { agent: 'https://agent_plain.test' },
    receipt: 'completed',
  })
  expect(operation('note')).toMatchObject({
    write: true,
    fresh: ['/text'],
    effect: { operation: 'list-notes', count: '/data/total' },
  })
  expect(features).toMatchObject({ streaming: 'supported', legacy: 'supported' })
})

test('a name server knows the address of a receiver in public, from which names are moved', () => {
  const resolver = 'resolver: { listen: "0.0.0.0:53", zone: m.test, later: 10.0.0.7 }'
  const receiver = `receiver: { mode: public, publicUrl: "https://hooks.test", ${resolver} }`
  const text = `${whole}\n${receiver}\nsession: { headers: { Cookie: "env:KEY_2" } }`
  const known = { zone: 'm.test', first: null, later: '10.0.0.7', rebinding: true }
  expect(parseTarget(text, 't.yaml', environment).receiver.resolver).toMatchObject(known)
})

test('the states of what there is not need no mention, and say which declaration leaves them out', () => {
  const without = whole.replace(/^ {2}(chat\.paused|workflow\.current): .*\n/gm, '')
  const text = `${without}\nfeatures: { pause: unsupported, workflow: unsupported }`
  expect(parseTarget(text, 't.yaml', environment).states).toMatchObject({
    'chat.paused': { provide: 'none', why: 'the target file declares features.pause unsupported' },
    'workflow.current': { provide: 'none', why: 'the target file declares features.workflow unsupported' },
  })
})

test('what is said of every event stands for those that have no line of their own', () => {
  const single = whole.replace(/^ {2}(?:event|webhook)\..*\n?/gm, '').trimEnd()
  const said = '  event.*: { provide: manual, instruction: "Make {{event}} happen." }\n'
  const named = '  event.order.confirmed: { provide: none, why: no orders }'
  const { states: provided } = parseTarget(`${single}\n${said}${named}`, 'target.yaml', environment)
  expect(provided['event.leads.submit']).toMatchObject({ provide: 'manual' })
  expect(provided['event.order.confirmed']).toEqual({ provide: 'none', why: 'no orders' })
  expect(provided['webhook.inactive']).toBe(undefined)
  expect(Object.keys(parseTarget(single, 'target.yaml', environment).states)).not.toContain(
    'event.leads.submit',
  )
})

test('a state that is not mentioned is refused with lines to paste, unless it can come about alone', () => {
  const without = whole
    .split('\n')
    .filter((line) => !/^ {2}(server\.503|rate\.limited|turn\.slow):/.test(line))
    .join('\n')
  const [problem = ''] = problemsOf(without)
  expect(problem).toBe(
    'target.yaml:8: nothing is said of server.503; say how each comes about, or paste under states:\n  server.503: { provide: none, why: "not prepared on this target" }',
  )
  expect(problemsOf(`${without}\n${problem.split('\n').slice(1).join('\n')}`)).toEqual([])
})

test('what a reference led to is a secret wherever it stands, but for names, agents and addresses', () => {
  const text = whole
    .replace('kind: staging', 'kind: staging, proxy: "env:PROXY"')
    .replace('name: acme', 'name: "env:NAME"')
    .replace('"https://chat.example.test"', '"env:BASE"')
    .replace('agent-1', '"env:AGENT"')
  const env = {
    ...environment,
    PROXY: 'http://gate:s3cret-of-proxy@127.0.0.1:4999',
    NAME: 'acme staging',
    BASE: 'https://staging.example.test',
    AGENT: 'agent-0123456789',
  }
  const secrets = secretsOf(parseTarget(text, 'target.yaml', env)).map(({ value }) => value)

  expect(secrets).toEqual(['sk-secret', 'sk-SECRET', env.PROXY, 'gate:s3cret-of-proxy', 's3cret-of-proxy'])
})
