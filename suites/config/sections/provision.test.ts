import { expect, test } from 'vitest'
import { states, type StateId } from '../../../spec/index.ts'
import { ConfigurationError } from '../target.ts'
import { parseTarget } from '../file/file.ts'
import { hookSecrets, type Provision } from '../provided.ts'

const env = {
  KEY: 'sk-secret',
  ADMIN_URL: 'https://admin.example/pause?token=t0ken-secret',
  ADMIN_TOKEN: 'Bearer admin-secret',
  AGENT: 'agent-1',
  PATH: '/usr/bin',
}

/** A file that provides one state like this. */
function fileWith(state: StateId, written: string, kind = 'staging'): string {
  const all = Object.keys(states).map(
    (id) => `  ${id}: ${id === state ? written : '{ provide: none, why: not here }'}`,
  )
  return [
    'apiVersion: touchstone/v1',
    `target: { name: acme, kind: ${kind}, baseUrl: "https://chat.example.test" }`,
    'principals:',
    '  main: { bearer: "env:KEY", scopes: [chat] }',
    'agents:',
    '  plain: env:AGENT',
    'states:',
    ...all,
  ].join('\n')
}

const read = (state: StateId, written: string, path = '/ops/target.yaml'): Provision | undefined =>
  parseTarget(fileWith(state, written), path, env).states[state]

test('an http hook is read with its secrets looked up, which are kept apart from ids', () => {
  const hook = `{ provide: http, enter: { method: POST, url: "env:ADMIN_URL", headers: { Authorization: "env:ADMIN_TOKEN" }, json: { agent: "env:AGENT", key: "{{idempotencyKey}}", on: [true, 1] } } }`
  const provision = read('key.uncertain', hook)
  expect(provision).toEqual({
    provide: 'http',
    enter: {
      method: 'POST',
      url: env.ADMIN_URL,
      headers: [['Authorization', 'Bearer admin-secret']],
      json: { agent: 'agent-1', key: '{{idempotencyKey}}', on: [true, 1] },
      expect: [200, 204],
    },
    timeoutSeconds: 20,
    secrets: [env.ADMIN_URL, 'Bearer admin-secret'],
  })
  expect(hookSecrets({ 'key.uncertain': provision })).toEqual([
    { name: 'hook:key.uncertain', value: env.ADMIN_URL },
    { name: 'hook:key.uncertain', value: 'Bearer admin-secret' },
  ])
})

test('a hook is put together from variables, which are kept out of reports', () => {
  const hook = `{ provide: http, enter: { method: POST, url: "{{env:ADMIN_URL}}/agents/{{agentId}}", headers: { Authorization: "Token {{env:ADMIN_KEY}}" }, json: { say: "{{message}} of {{env:AGENT}}" } } }`
  const own = { ...env, ADMIN_URL: 'https://admin.example', ADMIN_KEY: 'key-secret' }
  const provision = parseTarget(fileWith('server.500', hook), '/ops/target.yaml', own).states['server.500']
  expect(provision).toMatchObject({
    enter: {
      url: 'https://admin.example/agents/{{agentId}}',
      headers: [['Authorization', 'Token key-secret']],
      json: { say: '{{message}} of agent-1' },
    },
    secrets: ['https://admin.example', 'key-secret'],
  })
})

test('an exec hook is read with its folder and no more of the environment than is named', () => {
  const hook =
    '{ provide: exec, enter: [./pause, "{{agentId}}"], leave: [./resume], environment: [ADMIN_TOKEN], timeoutSeconds: 3 }'
  expect(read('chat.paused', hook)).toEqual({
    provide: 'exec',
    enter: ['./pause', '{{agentId}}'],
    leave: ['./resume'],
    timeoutSeconds: 3,
    environment: { PATH: '/usr/bin', ADMIN_TOKEN: 'Bearer admin-secret' },
    folder: '/ops',
    secrets: ['Bearer admin-secret'],
  })
})

const request = '{ method: POST, url: "http://a.example" }'
/** What is said of a way, the state that it is for, and the way; all but two on a target of staging. */
const refused: Readonly<Record<string, readonly [state: StateId, written: string, kind?: string]>> = {
  'states.server.500 is provided by exec, which has no "why"; take it out, or use enter, leave, timeoutSeconds, environment, agent, message, principal, session':
    ['server.500', '{ provide: exec, enter: [a], why: hello }'],
  'states.server.500 is provided by http, and a program is given; give a request such as { method: POST, url: "env:URL" }':
    ['server.500', '{ provide: http, enter: [a] }'],
  'states.server.500 speaks of {{env:KEY}}; known are agentId, principal, message, idempotencyKey, conversationId, webhookId, event, operationId, decision, approvalId, taskId':
    ['server.500', '{ provide: exec, enter: [a, "{{env:KEY}}"] }'],
  'states.server.500.enter.url: the environment variable NO_HOST is not set; set it': [
    'server.500',
    '{ provide: http, enter: { method: POST, url: "https://{{env:NO_HOST}}/a" } }',
  ],
  'states.key.uncertain is the state of a key that is made during the run; provide it by fixture, control, http, exec or none':
    ['key.uncertain', '{ provide: manual, instruction: Do it }'],
  'states.server.500 is provided by http, which is not used on a production target; provide it by fixture or none':
    ['server.500', `{ provide: http, enter: ${request} }`, 'production'],
  'states.server.500.enter.url is no http address; give one such as https://admin.example/agents': [
    'server.500',
    '{ provide: http, enter: { method: POST, url: admin.example } }',
  ],
}

test.for(Object.entries(refused))(
  'a way is refused in one clear line: %s',
  ([problem, [state, written, kind]]) => {
    const line = 8 + Object.keys(states).indexOf(state)
    expect(() => parseTarget(fileWith(state, written, kind), 'target.yaml', env)).toThrow(
      new ConfigurationError(`target.yaml:${line}: ${problem}`),
    )
  },
)
