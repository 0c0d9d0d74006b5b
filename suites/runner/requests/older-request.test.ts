import { expect, test } from 'vitest'
import type { Outgoing } from '../../wire/recorder.ts'
import { olderCast } from './older-cast.ts'
import type { OlderRequest } from '../../scenario/driver.ts'
import { olderRequest } from './older-request.ts'
import { targetDouble } from '../service.testkit.ts'
import { ScenarioEnded } from '../../scenario/ending.ts'
import { createSource } from '../../scenario/source.ts'

const base = targetDouble()
const legacy = {
  keys: [
    { name: 'plain', agent: base.agents.plain, bearer: 'ak_plain' },
    { name: 'second', agent: 'agent 2', bearer: 'ak_second' },
  ],
}
const target = { ...base, legacy, features: { ...base.features, legacy: 'supported' } } as const
const cast = olderCast({ older: 'two-keys' }, target)
if (cast instanceof ScenarioEnded) throw cast
const [main] = base.principals
if (!main) throw new Error('the double has no principal')

const setting = { agent: base.agents.plain, secondAgent: '', message: '', cast: { self: main, ...cast } }
const requestDefaults = { scenario: 'a/b', userAgent: 'touchstone/1', source: createSource(1, 'run', 'a/b') }
const build = (asked: OlderRequest): Outgoing => olderRequest('one', asked, setting, requestDefaults)
const text = ({ body }: Outgoing): string => new TextDecoder().decode(body)

test('a message goes to the agent of its key, under that key, and carries no idempotency key', () => {
  const outgoing = build({ message: 'Hello', metadata: { a: 1 } })
  expect(outgoing).toMatchObject({
    method: 'POST',
    path: `/v1/agents/${base.agents.plain}/chat`,
    principal: 'older-plain',
    headers: [
      ['Authorization', 'Bearer ak_plain'],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'touchstone/1'],
    ],
  })
  expect(text(outgoing)).toBe('{"message":"Hello","metadata":{"a":1}}')
  expect(text(build({}))).toMatch(/^\{"message":".{40}"\}$/)
})

test('another key brings its own agent along, unless one is named', () => {
  expect(build({ as: 'otherOlder' })).toMatchObject({
    path: '/v1/agents/agent%202/chat',
    principal: 'older-second',
  })
  expect(build({ as: 'otherOlder', agent: 'x' }).path).toBe('/v1/agents/x/chat')
})

test('a conversation is read without a body', () => {
  expect(build({ read: 'conv/1' })).toMatchObject({ method: 'GET', path: '/v1/conversations/conv%2F1' })
  expect(build({ read: 'conv/1' }).body).toHaveLength(0)
})

test('without credentials, or with those of nobody, it is nobody’s request', () => {
  const unknown = { as: null, headers: [['Authorization', 'Bearer ak_nobody']] } as const
  for (const asked of [{ as: null }, unknown])
    expect(build(asked)).toMatchObject({ principal: null, path: `/v1/agents/${base.agents.plain}/chat` })
})

test('a key that may be limited is sacrificial, and no other', () => {
  expect(olderCast({ older: 'limited' }, target)).toMatchObject({ older: { sacrificial: true } })
  expect(olderCast({ older: 'key' }, target)).toMatchObject({ older: { sacrificial: false } })
  expect(olderCast({}, target)).toEqual({})
})
