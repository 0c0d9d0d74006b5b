import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../configuration-error.ts'
import { lineOf, nextLine, problemsOf, wholeFile as whole, withState } from './file.testkit.ts'
import { loadTarget } from './file.ts'

const signedIn = 'session: { headers: { Cookie: "env:KEY_2" } }'
const added = (...lines: readonly string[]): string => [whole, ...lines].join('\n')
/** Its members from the fourth line on. */
const resolver = (more: string): string =>
  `receiver:\n  mode: loopback\n  development: true\n  resolver: { listen: "127.0.0.1:5300", zone: moving.acme.example, ${more} }`
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

const shapes: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'an empty file',
    '',
    'target.yaml: the file is empty; `touchstone init NEW.yaml` writes one with every key',
  ],
  [
    'a file of nothing but remarks',
    '# later',
    'target.yaml: the file is empty; `touchstone init NEW.yaml` writes one with every key',
  ],
  [
    'a file without states',
    whole.slice(0, whole.indexOf('states:')),
    'target.yaml: the file lacks "states"; add it, or copy the list that `touchstone init NEW.yaml` writes',
  ],
  ['a text', 'hello', 'target.yaml: the file is "hello"; give keys with values'],
  ['a list', '- target', 'target.yaml: the file is a list; give keys with values'],
  [
    'what is no YAML',
    'target: [',
    'target.yaml:1: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; the [ was opened on line 1, column 9',
  ],
  [
    'an alias for what it is part of',
    'target: &all [*all]',
    `target.yaml: its aliases (*name) lead round in a circle or grow without end; write the values out`,
  ],
  [
    'aliases that grow without end',
    growing,
    `target.yaml: its aliases (*name) lead round in a circle or grow without end; write the values out`,
  ],
  [
    'a key that stands twice',
    added('optIn: []', 'optIn: [slow]'),
    `target.yaml:${nextLine + 1}: the key "optIn" stands twice; take one out`,
  ],
  [
    'an entry that stands twice',
    added('optIn: [slow, slow]'),
    `target.yaml:${nextLine}: optIn has "slow" twice; take one out`,
  ],
  [
    'an apiVersion of later',
    whole.replace('touchstone/v1', 'touchstone/v9'),
    'target.yaml:1: apiVersion is "touchstone/v9"; it has to be "touchstone/v1"',
  ],
  ['no apiVersion', whole.replace(/^.*\n/, ''), 'target.yaml: the file lacks "apiVersion"; add it'],
  [
    'a kind that is none',
    whole.replace('kind: staging', 'kind: stagin'),
    'target.yaml:2: target.kind is "stagin"; did you mean "staging"?',
  ],
  [
    'no principal',
    whole.replace(/principals:\n.*\n/, 'principals: {}\n'),
    'target.yaml:3: principals is empty; name at least one',
  ],
  [
    'a name of nothing',
    whole.replace('acme', '""'),
    'target.yaml:2: target.name is empty; write something, or take it out',
  ],
  [
    'several ways of a state that no scenario runs in each',
    whole.replace(
      /^  chat.paused: .*$/m,
      '  chat.paused: [{ provide: none, why: a }, { provide: none, why: b }]',
    ),
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused has several ways, and no scenario runs each of them; give one`,
  ],
  [
    'a session that nobody declared',
    withState('plan.without-webhooks', 'provide: fixture, session: smal').replace(
      'agents:\n',
      'sessions: { small: { headers: { Cookie: "env:KEY" } } }\nagents:\n',
    ),
    `target.yaml:${lineOf('plan.without-webhooks') + 1}: states.plan.without-webhooks.session names "smal", which is not declared; did you mean "small"?`,
  ],
  [
    'a session in a state that is none of a user',
    withState('chat.paused', 'provide: fixture, session: small'),
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused is no state of a signed-in user; take "session" out`,
  ],
  [
    'a key of another account that is restricted to an agent of ours',
    whole.replace(
      'agents:\n',
      '  theirs: { bearer: "env:KEY_2", scopes: [chat], account: two, agents: [plain] }\nagents:\n',
    ),
    'target.yaml:5: principals.theirs.agents names an agent of the account "main", and the key is of "two"; name agents of its own account',
  ],
  ['a number for a text', whole.replace('acme', '7'), 'target.yaml:2: target.name is 7; give a text'],
  [
    'a text for a table',
    added('budgets: plenty'),
    `target.yaml:${nextLine}: budgets is "plenty"; give keys with values`,
  ],
  [
    'a fraction for a whole number',
    added('budgets: { turns: 1.5 }'),
    `target.yaml:${nextLine}: budgets.turns is 1.5; give a whole number`,
  ],
  [
    'a cap of nothing',
    added('budgets: { requests: 0 }'),
    `target.yaml:${nextLine}: budgets.requests is 0; give 1 or more`,
  ],
  [
    'a time of nothing',
    added('budgets: { wallSeconds: 0 }'),
    `target.yaml:${nextLine}: budgets.wallSeconds is 0; give more than 0`,
  ],
  [
    'a pointer that is none',
    added('dialect: { errorCode: code }'),
    `target.yaml:${nextLine}: dialect.errorCode is "code"; give a JSON pointer such as /error/code`,
  ],
  [
    'a route that is an address',
    added('dialect: { routes: { plans: "https://x/plans" } }'),
    `target.yaml:${nextLine}: dialect.routes.plans is "https://x/plans"; give a path such as /api/v1/billing/plans`,
  ],
  [
    'no rate header at all',
    added('dialect: { rateHeaders: [] }'),
    `target.yaml:${nextLine}: dialect.rateHeaders is empty; name at least one, or take it out`,
  ],
  [
    'a port without a host',
    added('receiver: { listen: "8080" }'),
    `target.yaml:${nextLine}: receiver.listen is "8080"; give a host and a port such as 127.0.0.1:8080`,
  ],
  [
    'an echo that repeats nothing',
    added('fixtures: { echo: { message: Say it again } }'),
    `target.yaml:${nextLine}: fixtures.echo.message is "Say it again"; give a message with {text} in it`,
  ],
  [
    'a feature that is none',
    added('features: { webhook: supported }'),
    `target.yaml:${nextLine}: unknown key "webhook" in features; did you mean "webhooks"?`,
  ],
]

const secrets: typeof shapes = [
  [
    'a key written out',
    whole.replace('"env:KEY"', 'sk-live-abc'),
    'target.yaml:4: principals.main.bearer is an API key written out; give it as env:NAME or file:path',
  ],
  [
    'a key written out where no key belongs',
    ofTarget('headers: { X-Key: Bearer sk-live }'),
    'target.yaml:2: target.headers.X-Key is an API key written out; give it as env:NAME or file:path',
  ],
  [
    'another secret written out, which is not repeated',
    added('session: { headers: { Cookie: sid=hunter2 } }'),
    `target.yaml:${nextLine}: session.headers.Cookie is a secret; give it as env:NAME or file:path, never as itself`,
  ],
  [
    'a secret that is a number, which is not repeated',
    whole.replace('"env:KEY"', '12345678'),
    'target.yaml:4: principals.main.bearer is a secret; give it as env:NAME or file:path, never as itself',
  ],
  [
    'an environment variable that is not set',
    whole.replace('env:KEY', 'env:NOWHERE'),
    'target.yaml:4: principals.main.bearer: the environment variable NOWHERE is not set; set it',
  ],
  [
    'a further key that is not set',
    ofMain('pool: ["env:KEY_2", "env:KEY_3"]'),
    'target.yaml:4: principals.main.pool.1: the environment variable KEY_3 is not set; set it',
  ],
  [
    'a file that is not there',
    whole.replace('env:KEY', 'file:/no/such/key'),
    'target.yaml:4: principals.main.bearer: the file /no/such/key cannot be read; create it, or give the right path',
  ],
  [
    'a file with nothing in it',
    whole.replace('env:KEY', 'file:/dev/null'),
    'target.yaml:4: principals.main.bearer: the file /dev/null is empty; put the value into it',
  ],
]

const references: typeof shapes = [
  [
    'an agent that is not declared',
    ofMain('agents: [plane]'),
    'target.yaml:4: principals.main.agents.0 names "plane", which is not declared; did you mean "plain"?',
  ],
  [
    'a principal that is not declared',
    withState('credits.exhausted', 'provide: fixture, principal: broke'),
    `target.yaml:${lineOf('credits.exhausted')}: states.credits.exhausted.principal names "broke", which is not declared; known are main`,
  ],
  [
    'an echo by nobody',
    added('fixtures: { echo: { agent: parrot } }'),
    `target.yaml:${nextLine}: fixtures.echo.agent names "parrot", which is not declared; known are plain, paused`,
  ],
  [
    'an address that is none',
    whole.replace('https://chat.example.test', 'chat.example.test'),
    'target.yaml:2: target.baseUrl is "chat.example.test"; give an address such as https://host/path',
  ],
  [
    'an address of another kind',
    ofTarget('replicas: ["ftp://chat.example.test"]'),
    'target.yaml:2: target.replicas.0 is "ftp://chat.example.test"; give an address such as https://host/path',
  ],
  [
    'an address with a password',
    whole.replace('https://chat.example.test', 'env:WITH_PASSWORD'),
    'target.yaml:2: target.baseUrl names a user; leave user and password out',
  ],
  [
    'an address with a query',
    ofTarget('replicas: ["https://chat.example.test?tenant=1"]'),
    'target.yaml:2: target.replicas.0 has a query or a fragment; give the address without it, such as https://host/path',
  ],
  [
    'a key of two lines',
    whole.replace('env:KEY', 'env:TWO_LINES'),
    'target.yaml:4: principals.main.bearer has a line break or another character that no header may contain; check the value',
  ],
  [
    'a header whose name has a blank',
    ofTarget('headers: { "X Gate": a }'),
    'target.yaml:2: target.headers.X Gate cannot be the name of a header; write one such as X-Gate',
  ],
  [
    'a header that says how a request is sent',
    ofTarget('headers: { Content-Length: "7" }'),
    'target.yaml:2: target.headers.Content-Length is a header of the connection, which is set for each request',
  ],
  [
    'a header outside of Latin-1',
    ofTarget('headers: { X-Gate: "→" }'),
    'target.yaml:2: target.headers.X-Gate has a line break or another character that no header may contain; check the value',
  ],
  [
    'certificates that are not there',
    ofTarget('tls: { caFile: /no/such.pem }'),
    'target.yaml:2: target.tls.caFile is /no/such.pem, which cannot be read; give the path of a PEM file',
  ],
  [
    'certificates that are none',
    ofTarget('tls: { caFile: /dev/null }'),
    'target.yaml:2: target.tls.caFile is /dev/null, which holds no certificate; give the path of a PEM file',
  ],
]

const against: typeof shapes = [
  [
    'a replica that is the base address',
    ofTarget('replicas: ["https://chat.example.test/"]'),
    'target.yaml:2: target.replicas.0 is https://chat.example.test, which is target.baseUrl; name the further ones only',
  ],
  [
    'a replica that stands twice',
    ofTarget('replicas: ["https://b.test", "https://c.test", "https://b.test"]'),
    'target.yaml:2: target.replicas.2 is https://b.test, which stands there before; take one out',
  ],
  [
    'two principals with one key',
    second('{ bearer: "env:KEY", scopes: [] }'),
    'target.yaml:5: principals.second.bearer is the same key as principals.main.bearer; give another, or take one out',
  ],
  [
    'a pool that holds its own first key',
    ofMain('pool: ["env:KEY"]'),
    'target.yaml:4: principals.main.pool.0 is the same key as principals.main.bearer; give another, or take one out',
  ],
  [
    'a revoked key that is to be limited',
    ofMain('sacrificial: true, revoked: true'),
    'target.yaml:4: principals.main is sacrificial and revoked, and a revoked key has no rate; take one out',
  ],
  [
    'one agent for two',
    whole.replace('  paused:', '  second: agent-1\n  paused:'),
    'target.yaml:7: agents.second is agent-1, as agents.plain is; give another, or take it out',
  ],
  [
    'the plain agent for a paused one, by its name',
    withState('chat.paused', 'provide: fixture, agent: plain'),
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused.agent is agents.plain, which answers any message and so is not in that state; name another agent`,
  ],
  [
    'the plain agent for a forbidden one, by its id',
    withState('plan.disallows', paused).replace('agent-2', 'agent-1'),
    `target.yaml:${lineOf('plan.disallows')}: states.plan.disallows.agent is agents.plain, which answers any message and so is not in that state; name another agent`,
  ],
  [
    'a paused agent that runs a Workflow',
    withState('workflow.current', `${paused}, message: go`, withState('chat.paused', paused)),
    `target.yaml:${lineOf('workflow.current')}: states.workflow.current is provided by the fixture of states.chat.paused, and both cannot be; name another`,
  ],
  [
    'one message that leads to two errors',
    withState('server.503', `${paused}, message: boom`, withState('server.500', `${paused}, message: boom`)),
    `target.yaml:${lineOf('server.503')}: states.server.503 is provided by the fixture of states.server.500, and both cannot be; name another`,
  ],
  [
    'a revoked key without credits',
    withState(
      'credits.exhausted',
      'provide: fixture, principal: second',
      second('{ bearer: "env:KEY_2", scopes: [chat], revoked: true }'),
    ),
    `target.yaml:${lineOf('credits.exhausted') + 1}: states.credits.exhausted.principal is "second", which is revoked and so is in no state; name another`,
  ],
  [
    'a state of an agent that its key may not call',
    withState(
      'credits.exhausted',
      'provide: fixture, principal: second, agent: paused',
      second('{ bearer: "env:KEY_2", scopes: [chat], account: two, agents: [b] }').replace(
        'agents:\n',
        'agents:\n  b: agent-3\n',
      ),
    ),
    `target.yaml:${lineOf('credits.exhausted') + 2}: states.credits.exhausted.agent is agent-2, which the key "second" may not call; name one of principals.second.agents, or add it there`,
  ],
  [
    'a feature that the contract requires',
    added('features: { streaming: unsupported }'),
    `target.yaml:${nextLine}: features.streaming is unsupported, but the contract requires it; take that out, and put its failures under policy.knownFailures`,
  ],
  [
    'a state of a feature that there is not',
    `${withState('chat.paused', paused)}\nfeatures: { pause: unsupported }`,
    `target.yaml:${lineOf('chat.paused')}: states.chat.paused is provided by fixture, but features.pause is unsupported; take one of them out`,
  ],
  [
    'a receiver in public without an address',
    added(`receiver: { mode: public }\n${signedIn}`),
    `target.yaml:${nextLine}: receiver.mode is public, but no address is given; add receiver.publicUrl`,
  ],
  [
    'a receiver whose address is not secure',
    added(`receiver: { mode: public, publicUrl: "http://hooks.test" }\n${signedIn}`),
    `target.yaml:${nextLine}: receiver.publicUrl is "http://hooks.test"; give an https address, as endpoints have to have`,
  ],
  [
    'a receiver without anybody who makes webhooks',
    added('receiver: { mode: public, publicUrl: "https://hooks.test" }'),
    `target.yaml:${nextLine}: receiver.mode is public, but only a signed-in user makes webhooks, and none is declared; add session.headers`,
  ],
  [
    'a receiver on this machine that nothing delivers to',
    added(`receiver: { mode: loopback }\n${signedIn}`),
    `target.yaml:${nextLine}: receiver.mode is loopback, but a service delivers to its own machine in development only; set receiver.development, or make it public`,
  ],
  [
    'a name server without an address that names lead to at first',
    added(`${resolver('')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.zone has names that lead nowhere at first; add receiver.resolver.first, a public address of your own`,
  ],
  [
    'names that lead to a private address at first',
    added(`${resolver('first: 10.0.0.1')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.first is 10.0.0.1, which is private; give a public address of your own`,
  ],
  [
    'names that lead to another name',
    added(`${resolver('first: acme.test')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.first is "acme.test"; give an IP address`,
  ],
  [
    'names with a certificate and no key',
    added(`${resolver('first: 3000::1, certFile: /dev/null')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.certFile needs receiver.resolver.keyFile beside it; add it`,
  ],
  [
    'names with a certificate that is not there',
    added(`${resolver('first: 3000::1, certFile: /no/such.pem, keyFile: /dev/null')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.certFile is /no/such.pem, which cannot be read; give the path of a PEM file`,
  ],
  [
    'names with a certificate that is none',
    added(`${resolver('first: 3000::1, certFile: /dev/null, keyFile: /dev/null')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.keyFile is not the private key of receiver.resolver.certFile; give PEM files of a certificate and of its key, not encrypted`,
  ],
  [
    'names that lead to a public address later',
    added(`${resolver('first: 3000::1, later: 3000::1')}\n${signedIn}`),
    `target.yaml:${nextLine + 3}: receiver.resolver.later is 3000::1, which is public; give a private address of this machine`,
  ],
  [
    'an address of a receiver that is not used',
    added('receiver: { publicUrl: "https://hooks.test" }'),
    `target.yaml:${nextLine}: receiver.publicUrl is given, but receiver.mode is none; make it public`,
  ],
]

describe.each([
  ['its form', shapes],
  ['its secrets', secrets],
  ['what it refers to', references],
  ['what it says against itself', against],
] as const)('a file is refused in one clear line for %s:', (_, cases) => {
  test.for(cases)('%s', ([, text, message]) => {
    expect(problemsOf(text)).toEqual([message])
  })
})

test('the files that the refused ones were made from are right', () => {
  expect(problemsOf(whole)).toEqual([])
  const tool = `${paused}, message: look it up`
  expect(problemsOf(withState('stream.gate', tool, withState('stream.tool', tool)))).toEqual([])
  expect(problemsOf(ofMain('pool: ["env:KEY_2"]'))).toEqual([])
})

test('everything that is wrong is said at once', () => {
  const text = ofTarget('replicas: [nowhere]').replace('env:KEY', 'env:NOWHERE')
  expect(problemsOf(text)).toHaveLength(2)
})

test('what is no file is refused by its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  try {
    writeFileSync(join(folder, 'there.yaml'), '')
    const opening = (path: string) => () => loadTarget(path, {})
    const wrong = join(folder, 'ther.yml')
    expect(opening(wrong)).toThrow(
      new ConfigurationError(`target file ${wrong}: not found; did you mean ${join(folder, 'there.yaml')}?`),
    )
    expect(opening(join(folder, 'not-there.yaml'))).toThrow('not found; check the path')
    expect(opening(folder)).toThrow(new ConfigurationError(`target file ${folder}: is a folder; give a file`))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
