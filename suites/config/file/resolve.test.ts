import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { environment, withState, wholeFile } from './file.testkit.ts'
import { loadTarget, parseTarget } from './file.ts'
import type { Target } from '../target.ts'

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
  const { principals, session, fixtures, features } = example()
  const named = (wanted: string) => principals.find(({ name }) => name === wanted)
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

test.each([
  [
    'of a receiver on this machine, to which names are moved',
    'mode: loopback, development: true, resolver: { listen: "127.0.0.1:5300", zone: m.test, first: 3000::1 }',
    { first: '3000::1', later: '127.0.0.1', rebinding: false },
  ],
  [
    'of a receiver in public, from which names are moved',
    'mode: public, publicUrl: "https://hooks.test", resolver: { listen: "0.0.0.0:53", zone: m.test, later: 10.0.0.7 }',
    { first: null, later: '10.0.0.7', rebinding: true },
  ],
  [
    'that nobody here would see a delivery at',
    'mode: public, publicUrl: "https://hooks.test", resolver: { listen: "0.0.0.0:53", zone: m.test }',
    { first: null, later: null, rebinding: true },
  ],
])('a name server knows the address %s', (_, receiver, known) => {
  const text = `${wholeFile}\nreceiver: { ${receiver} }\nsession: { headers: { Cookie: "env:KEY_2" } }`
  expect(parseTarget(text, 't.yaml', environment).receiver.resolver).toMatchObject({
    zone: 'm.test',
    ...known,
  })
})

test('the states of what there is not need no mention, and say which declaration leaves them out', () => {
  const without = wholeFile.replace(/^ {2}(chat\.paused|workflow\.current): .*\n/gm, '')
  const text = `${without}\nfeatures: { pause: unsupported, workflow: unsupported }`
  expect(parseTarget(text, 't.yaml', environment).states).toMatchObject({
    'chat.paused': { provide: 'none', why: 'the target file declares features.pause unsupported' },
    'workflow.current': { provide: 'none', why: 'the target file declares features.workflow unsupported' },
  })
})

test('what is said of such a state all the same, is kept', () => {
  const text = `${withState('chat.paused', 'provide: none, why: never built')}\nfeatures: { pause: unsupported }`
  expect(parseTarget(text, 't.yaml', environment).states['chat.paused']).toEqual({
    provide: 'none',
    why: 'never built',
  })
})
