import { describe, expect, test } from 'vitest'
import { lineOf, nextLine, problemsOf, wholeFile as whole, withState } from './file.testkit.ts'

const signedIn = 'session: { headers: { Cookie: "env:KEY_2" } }'
const added = (...lines: readonly string[]): string => [whole, ...lines].join('\n')
const resolver = (more: string): string =>
  added(
    `receiver: { mode: loopback, development: true, resolver: { listen: "127.0.0.1:5300", zone: moving.acme.example, ${more} } }`,
    signedIn,
  )
const ofTarget = (more: string): string => whole.replace('kind: staging', `kind: staging, ${more}`)
const ofMain = (more: string): string => whole.replace('scopes: [chat]', `scopes: [chat], ${more}`)
const second = (line: string): string => whole.replace('agents:', `  second: ${line}\nagents:`)
const paused = 'provide: fixture, agent: paused'

/** Each list nine times the one before it. */
const growing = Array.from(
  'bcdefghi',
  (name, at) =>
    `${name}: &${name} [${Array(9)
      .fill(`*${'abcdefgh'.charAt(at)}`)
      .join(', ')}]`,
)
  .toSpliced(0, 0, 'a: &a [1]')
  .join('\n')

/**
 * What is said of a file, and the file, or how the right one is changed: `+ a line`, `words → others`, `state = how`;
 * with the line, where that is not the first one that is not as it should be.
 */
type Refusals = Readonly<Record<string, string | readonly [text: string, line: number]>>

const shapes: Refusals = {
  'unknown key "budget"; did you mean "budgets"?': '+ budget: { turns: 1 }',
  'unknown key "implementation"; it belongs below `target`': '+ implementation: { version: "1" }',
  'principals.main.scopes.0 is "chats"; did you mean "chat"?; declare one of your own under dialect.scopes':
    '[chat] → [chats]',
  'not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; the [ was opened on line 1, column 9':
    'target: [',
  'the key "optIn" stands twice; take one out': [added('optIn: []', 'optIn: [slow]'), nextLine + 1],
  'target.name is empty; write something, or take it out': 'acme → ""',
  'states.chat.paused has two ways to leave it by one provider; give each its `agent`': whole.replace(
    /^  chat.paused: .*$/m,
    '  chat.paused: [{ provide: exec, enter: [a], leave: [b] }, { provide: exec, enter: [c], leave: [d] }]',
  ),
  'states.chat.paused.1.agent names "plane", which is not declared; did you mean "plain"?': whole.replace(
    /^  chat.paused: .*$/m,
    '  chat.paused: [{ provide: fixture, agent: paused }, { provide: fixture, agent: plane }]',
  ),
  'states.plan.without-webhooks.session names "smal", which is not declared; did you mean "small"?': [
    withState('plan.without-webhooks', 'provide: fixture, session: smal').replace(
      'agents:\n',
      'sessions: { small: { headers: { Cookie: "env:KEY" } } }\nagents:\n',
    ),
    lineOf('plan.without-webhooks') + 1,
  ],
  'principals.theirs.agents names an agent of the account "main", and the key is of "two"; name agents of its own account':
    'agents:\n →   theirs: { bearer: "env:KEY_2", scopes: [chat], account: two, agents: [plain] }\nagents:\n',
  'target.http is 2, and HTTP/2 is spoken over TLS only; give a baseUrl and replicas with https, or leave it out':
    ofTarget('http: 2, replicas: ["http://chat.example.test"]'),
  // What a reference led to is never repeated.
  'target.baseUrl is "env:KEY"; give an address such as https://host/path':
    'https://chat.example.test → env:KEY',
  'target.proxy is "env:KEY"; give an address such as https://host/path':
    'kind: staging → kind: staging, proxy: "env:KEY"',
  'budgets is "plenty"; give keys with values': '+ budgets: plenty',
  'budgets.turns is 1.5; give a whole number': '+ budgets: { turns: 1.5 }',
  'budgets.requests is 0; give 1 or more': '+ budgets: { requests: 0 }',
  'dialect.errorCode is "code"; give a JSON pointer such as /error/code': '+ dialect: { errorCode: code }',
  'dialect.rateHeaders is empty; name at least one, or take it out': '+ dialect: { rateHeaders: [] }',
  'receiver.listen is "8080"; give a host and a port such as 127.0.0.1:8080':
    '+ receiver: { listen: "8080" }',
}

const secrets: Refusals = {
  'principals.main.bearer: the environment variable EMPTY is empty; set it': 'env:KEY → env:EMPTY',
  'principals.main.bearer is an API key written out; give it as env:NAME or file:path':
    '"env:KEY" → sk-live-abc',
  'principals.main.bearer is a secret; give it as env:NAME or file:path, never as itself':
    '"env:KEY" → 12345678',
  'principals.main.bearer: the environment variable NOWHERE is not set; set it': 'env:KEY → env:NOWHERE',
  'principals.main.bearer: the file /no/such/key cannot be read (there is no such file or folder); give another':
    'env:KEY → file:/no/such/key',
  'principals.main.bearer: the file /dev/null cannot be read (it is no plain file); give another':
    'env:KEY → file:/dev/null',
}

const references: Refusals = {
  'states.chat.paused.agent names "plane", which is not declared; did you mean "plain"?':
    'chat.paused = provide: fixture, agent: plane',
  'target.baseUrl is "chat.example.test"; give an address such as https://host/path':
    'https://chat.example.test → chat.example.test',
  'target.baseUrl names a user; leave user and password out': 'https://chat.example.test → env:WITH_PASSWORD',
  'principals.main.bearer has a line break or another character that no header may contain; check the value':
    'env:KEY → env:TWO_LINES',
  'target.headers.X Gate cannot be the name of a header; write one such as X-Gate':
    ofTarget('headers: { "X Gate": a }'),
  'target.headers.Content-Length is a header of the connection, which is set for each request': ofTarget(
    'headers: { Content-Length: "7" }',
  ),
  'target.tls.caFile is /no/such.pem, which cannot be read; give the path of a PEM file': ofTarget(
    'tls: { caFile: /no/such.pem }',
  ),
}

const against: Refusals = {
  'states.chat.paused is provided by a fixture; say which agent, message, principal or session':
    'chat.paused = provide: fixture',
  'states.server.500 is provided by none; say why': 'server.500 = provide: none',
  'states.server.500 cannot come about on the wire alone; provide it by fixture, control or none':
    'server.500 = provide: wire',
  'states.server.503 is provided by control, but no control is declared; add control.url':
    'server.503 = provide: control',
  'target.replicas.0 is https://chat.example.test, which is target.baseUrl; name the further ones only':
    ofTarget('replicas: ["https://chat.example.test/"]'),
  'principals.second.bearer is the same key as principals.main.bearer; give another, or take one out': second(
    '{ bearer: "env:KEY", scopes: [] }',
  ),
  'agents.second is agent-1, as agents.plain is; give another, or take it out':
    '  paused: →   second: agent-1\n  paused:',
  'states.chat.paused.agent is agents.plain, which answers any message and so is not in that state; name another agent':
    'chat.paused = provide: fixture, agent: plain',
  'states.workflow.current is provided by the fixture of states.chat.paused, and both cannot be; name another':
    [
      withState('workflow.current', `${paused}, message: go`, withState('chat.paused', paused)),
      lineOf('workflow.current'),
    ],
  'states.credits.exhausted.principal is "second", which is revoked and so is in no state; name another': [
    withState(
      'credits.exhausted',
      'provide: fixture, principal: second',
      second('{ bearer: "env:KEY_2", scopes: [chat], revoked: true }'),
    ),
    lineOf('credits.exhausted') + 1,
  ],
  'states.credits.exhausted.agent is agent-2, which the key "second" may not call; name one of principals.second.agents, or add it there':
    [
      withState(
        'credits.exhausted',
        'provide: fixture, principal: second, agent: paused',
        second('{ bearer: "env:KEY_2", scopes: [chat], account: two, agents: [b] }').replace(
          'agents:\n',
          'agents:\n  b: agent-3\n',
        ),
      ),
      lineOf('credits.exhausted') + 2,
    ],
  'features.streaming is unsupported, but the contract requires it; take that out, and put its failures under policy.knownFailures':
    '+ features: { streaming: unsupported }',
  'states.chat.paused is provided by fixture, but features.pause is unsupported; take one of them out': `${withState('chat.paused', paused)}\nfeatures: { pause: unsupported }`,
  'receiver.mode is public, but no address is given; add receiver.publicUrl': added(
    `receiver: { mode: public }\n${signedIn}`,
  ),
  'receiver.publicUrl is "http://hooks.test"; give an https address, as endpoints have to have': added(
    `receiver: { mode: public, publicUrl: "http://hooks.test" }\n${signedIn}`,
  ),
  'receiver.mode is public, but only a signed-in user makes webhooks, and none is declared; add session.headers':
    '+ receiver: { mode: public, publicUrl: "https://hooks.test" }',
  'receiver.mode is loopback, but a service delivers to its own machine in development only; set receiver.development, or make it public':
    added(`receiver: { mode: loopback }\n${signedIn}`),
  'receiver.resolver.zone has names that lead nowhere at first; add receiver.resolver.first, a public address of your own':
    resolver(''),
  'receiver.resolver.certFile needs receiver.resolver.keyFile beside it; add it': resolver(
    'first: 3000::1, certFile: /dev/null',
  ),
}

const ofTheFile: readonly (readonly [problem: string, text: string])[] = [
  ['the file is empty; `touchstone init NEW.yaml` writes one with every key', ''],
  ['the file is empty; `touchstone init NEW.yaml` writes one with every key', '# later'],
  [
    'the file lacks "states"; add it, or copy the list that `touchstone init NEW.yaml` writes',
    whole.slice(0, whole.indexOf('states:')),
  ],
  ['the file is a list; give keys with values', '- target'],
  [
    'its aliases (*name) are too many, lead round in a circle or grow without end; write the values out',
    'target: &all [*all]',
  ],
  [
    'its aliases (*name) are too many, lead round in a circle or grow without end; write the values out',
    growing,
  ],
  ['the file lacks "apiVersion"; add it', whole.replace(/^.*\n/, '')],
]

function fileOf(text: string): string {
  if (text.startsWith('+ ')) return added(text.slice(2))
  const [, state, how] = /^([\w.-]+) = (.*)$/.exec(text) ?? []
  if (state !== undefined && how !== undefined) return withState(state, how)
  const [words = '', others] = text.split(' → ')
  return others === undefined ? text : whole.replace(words, others)
}

/** The first line that differs from that of a right file. */
function lineIn(text: string): number {
  const right = whole.split('\n')
  return text.split('\n').findIndex((line, at) => line !== right[at]) + 1
}

describe.each([
  ['its form', shapes],
  ['its secrets', secrets],
  ['what it refers to', references],
  ['what it says against itself', against],
] as const)('a file is refused in one clear line for %s:', (_, refusals) => {
  test.for(Object.entries(refusals))('%s', ([problem, wrong]) => {
    const [text, line] = typeof wrong === 'string' ? [fileOf(wrong), lineIn(fileOf(wrong))] : wrong
    expect(problemsOf(text)).toEqual([`target.yaml:${line}: ${problem}`])
  })
})

test.for(ofTheFile)('a file is refused as a whole: %s', ([problem, text]) => {
  expect(problemsOf(text)).toEqual([`target.yaml: ${problem}`])
})

test('all that is wrong is said at once, in whatever way it is', () => {
  const wrong = withState(
    'chat.paused',
    'provide: fixtur, agent: paused',
    withState('server.500', 'provide: http, why: none'),
  )
    .replace('kind: staging', 'knd: staging, vendr: acme')
    .replace('env:KEY', 'env:NOWHERE')
  const text = withState(
    'server.503',
    'provide: 7',
    withState('turn.slow', 'provide: fixture, agent: slo', wrong),
  )
  const lines = problemsOf(
    `${text}\nbudgets: { turns: many, requests: 0 }\nlegacy: { keys: { plain: "env:KEY_2" } }`,
  )
  expect(lines.map((line) => line.replace(/^target.yaml:\d+: |[;,] .*/g, ''))).toEqual([
    'target lacks "kind"',
    'unknown key "knd" in target',
    'unknown key "vendr" in target',
    'states.chat.paused.provide is "fixtur"',
    'states.server.503.provide is 7',
    'budgets.requests is 0',
    'budgets.turns is "many"',
    'states.turn.slow.agent names "slo"',
    'states.server.500 is provided by http',
    'states.server.500 is provided by http',
    'principals.main.bearer: the environment variable NOWHERE is not set',
    'legacy has keys',
  ])
})

test('control is refused on a production target', () => {
  const production = withState('server.503', 'provide: control').replace('kind: staging', 'kind: production')
  expect(problemsOf(`${production}\ncontrol: { url: "http://x" }`)).toEqual([
    `target.yaml:${lineOf('server.503')}: states.server.503 is provided by control, which is not used on a production target; provide it by fixture or none`,
  ])
})

test('the files that the refused ones were made from are right', () => {
  expect(problemsOf(whole)).toEqual([])
  const tool = `${paused}, message: look it up`
  expect(problemsOf(withState('stream.gate', tool, withState('stream.tool', tool)))).toEqual([])
  expect(problemsOf(ofMain('pool: ["env:KEY_2"]'))).toEqual([])
})
