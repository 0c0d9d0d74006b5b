import type { GuardPolicy } from '../../rules/webhooks.ts'
import { guardBase, withTargets } from './addresses.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openCanary, type Canary } from '../../testing/canary.testkit.ts'
import type { Resolve } from './connect.ts'
import { type Poster, Breaker } from './guard.ts'
import { createPoster } from './poster.ts'

/** Plain HTTP, so that a canary that sings is received whatever the guard of schemes thinks. */
const plain: GuardPolicy = { ...guardBase.guard, checks: { ...guardBase.guard.checks, https: false } }
const checking = (...on: (keyof GuardPolicy['checks'])[]): GuardPolicy => {
  const off = { literal: false, resolved: false, connected: false, embedded: false, https: false }
  return { ...plain, checks: { ...off, ...Object.fromEntries(on.map((name) => [name, true])) } }
}
const unguarded = checking()

let canary: Canary
let poster: Poster
beforeEach(async () => {
  canary = await openCanary()
  poster = createPoster()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await poster.close()
  canary.close()
})

const body = new TextEncoder().encode('{"eventType":"leads.submit"}')
const never = new Breaker()
const post = (url: string, policy = plain) => poster.post({ url, headers: [], body }, policy, never)
const at = (host: string, path = '/'): string => `http://${host}:${canary.port}${path}`
const kindOf = async (posted: ReturnType<typeof post>): Promise<string | number | null> => {
  const { failure, status } = await posted
  return failure?.kind ?? status
}

const literals =
  `
127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 ①②⑦.⓪.⓪.① 127.0.0.1. 0 0.0.0.0 [::1] [0:0:0:0:0:0:0:1] [::]
[::ffff:7f00:1] [::ffff:127.0.0.1]
`.match(/\S+/g) ?? []

describe('the host of a URL', () => {
  test('never leads to this machine as a literal, however it is spelled', async () => {
    for (const host of literals) expect(await kindOf(post(at(host))), host).toBe('blocked')
    expect(canary.received.connections).toBe(0)
  })

  test('is judged once more where it is connected to, before a request is written', async () => {
    const policy = checking('connected', 'embedded')
    for (const host of literals) {
      if (host.startsWith('[') && !canary.hasSix) continue
      expect(await kindOf(post(at(host), policy)), host).toBe('blocked')
    }
    expect(canary.received.connections).toBeGreaterThan(0)
    expect(canary.received.requests).toEqual([])
  })

  test('over plain HTTP is blocked, localhost apart', async () => {
    const { failure } = await post(at('example.com'), guardBase.guard)
    expect(failure).toMatchObject({ kind: 'blocked', reason: expect.stringContaining('https') })
    expect(await kindOf(post(at('localhost'), guardBase.guard))).toBe(204)
  })
})

describe('a name', () => {
  const names = {
    'loop.example': ['127.0.0.1'],
    'mixed.example': ['8.8.8.8', '127.0.0.1'],
    'six.example': ['::1'],
  }
  const policy = { ...plain, names }

  test.for(Object.keys(names))('such as %s is blocked for any one blocked address', async (name) => {
    const { failure } = await post(at(name), policy)
    expect(failure).toMatchObject({ kind: 'blocked', reason: expect.stringContaining(`${name} resolves to`) })
    expect(await kindOf(post(at(`${name.toUpperCase()}.`), policy))).toBe('blocked')
    expect(canary.received.connections).toBe(0)
  })

  test('is judged where it is connected to when its addresses are not', async () => {
    expect(await kindOf(post(at('loop.example'), { ...checking('connected'), names }))).toBe('blocked')
    expect(canary.received.requests).toEqual([])
    expect(await kindOf(post(at('loop.example'), { ...unguarded, names }))).toBe(204)
  })

  test('that resolves to another address the second time is judged by the one that is used', async () => {
    const answers = [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['10.0.0.1']]
    let asked = 0
    const resolve: Resolve = (_name, answer) => answer(null, answers[asked++] ?? [])
    const rebinding = createPoster({ resolve })
    const message = { url: at('moving.example'), headers: [], body }
    expect((await rebinding.post(message, withTargets(plain, { allow: ['127.0.0.1'] }), never)).status).toBe(
      204,
    )
    for (const _ of answers.slice(1))
      expect((await rebinding.post(message, plain, never)).failure?.kind).toBe('blocked')
    expect(asked).toBe(3)
    expect(canary.received.requests).toHaveLength(1)
    await rebinding.close()
  })

  test('that does not resolve, or to nothing, is unreachable', async () => {
    const gone = createPoster({
      resolve: (_name, answer) => answer(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    })
    const posted = await gone.post({ url: at('gone.example'), headers: [], body }, plain, never)
    expect(posted.failure).toEqual({ kind: 'unreachable', reason: 'The name of the host does not resolve.' })
    await gone.close()
    expect(await kindOf(post(at('void.example'), { ...plain, names: { 'void.example': [] } }))).toBe(
      'unreachable',
    )
  })

  test('that is let through may lead anywhere', async () => {
    expect(await kindOf(post(at('loop.example'), withTargets(policy, { allow: ['Loop.Example'] })))).toBe(204)
  })
})

describe('localhost', () => {
  test('in development reaches this machine', async () => {
    expect(await kindOf(post(at('localhost', '/hooks?a=1')))).toBe(204)
    expect(canary.received.requests).toEqual(['POST /hooks?a=1'])
    expect(canary.received.bodies).toEqual(['{"eventType":"leads.submit"}'])
  })

  test('in production does not', async () => {
    expect(await kindOf(post(at('localhost'), { ...plain, development: false }))).toBe('blocked')
    const resolvedOnly = { ...checking('resolved'), development: false }
    expect(await kindOf(post(at('localhost'), resolvedOnly))).toBe('blocked')
    expect(canary.received.connections).toBe(0)
  })

  test.for(['10.0.0.1', '8.8.8.8', '::ffff:127.0.0.1'])('never leads to %s', async (address) => {
    const { failure } = await post(at('localhost'), {
      ...plain,
      names: { localhost: ['127.0.0.1', address] },
    })
    expect(failure?.reason).toContain(`localhost leads to ${address}`)
    expect(canary.received.connections).toBe(0)
  })
})

test('a kept connection serves no other policy than the one that let it out', async () => {
  const sent = 6
  for (let i = 0; i < sent; i++) expect(await kindOf(post(at('localhost')))).toBe(204)
  // Two take turns: one that has just answered rests until the next turn of the event loop.
  expect(canary.received.connections).toBeLessThanOrEqual(2)
  const stricter = { ...checking('resolved', 'connected'), development: false }
  expect(await kindOf(post(at('localhost'), stricter))).toBe('blocked')
  expect(canary.received.requests).toHaveLength(sent)
})

test('a redirect is reported and not followed', async () => {
  const to = at('127.0.0.1', '/inner')
  expect(await post(at('localhost', `/to?${to}`))).toEqual({ status: 307, location: to, failure: null })
  expect(canary.received.requests).toHaveLength(1)
})

test('proxies of the environment are not asked', async () => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
    vi.stubEnv(name, at('127.0.0.1'))
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect(await kindOf(post('http://private.example:1/'))).toBe('blocked')
  expect(canary.received.connections).toBe(0)
})
