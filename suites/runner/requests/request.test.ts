import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { ChatRequest } from '../../scenario/driver.ts'
import { chatRequest, echoing, sameAgain } from './request.ts'
import { targetDouble } from '../service.testkit.ts'
import type { Setting } from '../../scenario/setting.ts'
import { createSource } from '../../scenario/source.ts'

const [main] = targetDouble().principals
if (!main) throw new Error('the double has no principal')
const other = { ...main, name: 'other', bearer: 'sk-other' }
const setting: Setting = { agent: 'agent 1', secondAgent: '', message: '', cast: { self: main, other } }
const requestDefaults = {
  scenario: 'a/b',
  userAgent: 'touchstone/1 (a/b)',
  source: createSource(1, 'run', 'a/b'),
}

const build = (asked: ChatRequest): Outgoing => chatRequest('one', asked, setting, requestDefaults)
const text = ({ body }: Pick<Outgoing, 'body'>): string => new TextDecoder().decode(body)
const parsed = (outgoing: Outgoing): Record<string, unknown> =>
  JSON.parse(text(outgoing)) as Record<string, unknown>

test('what is not given is filled: ordinary headers, a fresh message, a fresh key', () => {
  const [one, two] = [build({}), build({})]
  expect(one).toMatchObject({
    method: 'POST',
    path: '/api/v1/chat/agent%201',
    headers: [
      ['Authorization', 'Bearer sk-main'],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'touchstone/1 (a/b)'],
    ],
    principal: 'main',
  })
  expect(Object.keys(parsed(one))).toEqual(['message', 'idempotency_key'])
  expect(parsed(one)['idempotency_key']).not.toBe(parsed(two)['idempotency_key'])
})

test('members stand in the order of the contract, further ones behind, and a null key is none', () => {
  const interaction = { type: 'workflow_button' }
  const asked = { extra: { a: 1 }, interaction, stream: true, conversation_id: 'c', message: 'm' }
  expect(Object.keys(parsed(build({ ...asked, idempotency_key: 'k' })))).toEqual([
    'message',
    'conversation_id',
    'stream',
    'idempotency_key',
    'interaction',
    'a',
  ])
  expect(parsed(build({ message: null, idempotency_key: null }))).toEqual({ message: null })
})

test('a header given takes the place of the ordinary one in any casing', () => {
  const headers = [
    ['authorization', 'Basic x'],
    ['X-One', '1'],
  ] as const
  const outgoing = build({ headers, withoutHeaders: ['USER-AGENT'] })
  expect(outgoing.headers).toEqual([['Content-Type', 'application/json'], ...headers])
  expect(outgoing.principal).toBeNull()
})

test('the principal is whoever the credentials belong to, in any scheme', () => {
  expect(build({ headers: [['AUTHORIZATION', 'bearer sk-other']] }).principal).toBe('other')
  expect(build({ as: 'other' })).toMatchObject({ principal: 'other' })
  const anonymous = build({ as: null })
  expect(anonymous.principal).toBeNull()
  expect(anonymous.headers.map(([name]) => name)).toEqual(['Content-Type', 'User-Agent'])
  expect(() => build({ as: 'nobody' })).toThrow('the scenario has no role "nobody"')
})

test('raw bytes are sent as they are', () => {
  expect(text(build({ raw: '{' }))).toBe('{')
  expect(build({ raw: Uint8Array.of(0xff) }).body).toEqual(Uint8Array.of(0xff))
})

test('a request goes to the base address it names, and again to the same unless it names another', () => {
  const replicas = ['https://b.test', 'https://c.test']
  const spread = { ...setting, replicas }
  const sentTo = (replica: number): Outgoing => chatRequest('one', { replica }, spread, requestDefaults)
  const again = (request: Outgoing, replica?: number): Outgoing => {
    const exchange = { id: 1, scenario: '', name: '', request, sentAt: 0, endedAt: 0 }
    const change = replica === undefined ? {} : { replica }
    return sameAgain('two', { ...exchange, response: null, failure: null }, change, spread, requestDefaults)
  }
  expect([0, 1, 2].map((n) => sentTo(n).replica)).toEqual([undefined, ...replicas])
  expect(again(sentTo(2)).replica).toBe('https://c.test')
  expect(again(sentTo(2), 1).replica).toBe('https://b.test')
  expect(again(sentTo(2), 0)).not.toHaveProperty('replica')
  expect(() => sentTo(3)).toThrow('replica 3 of 2')
})

test('what is sent again is the same, but for what is changed', () => {
  const request = build({ message: 'm', headers: [['X-One', '1']] })
  const exchange: Exchange = {
    id: 1,
    scenario: 'a/b',
    name: 'one',
    request,
    sentAt: 0,
    endedAt: 0,
    response: null,
    failure: null,
  }
  const again = (change: Omit<ChatRequest, 'message'>): Outgoing =>
    sameAgain('two', exchange, change, setting, requestDefaults)
  expect(again({})).toEqual({ ...request, name: 'two', timeouts: undefined })
  expect(again({ as: 'other' })).toMatchObject({ principal: 'other', body: request.body })
  expect(again({ as: 'other' }).headers).toEqual([
    ['Authorization', 'Bearer sk-other'],
    ...request.headers.filter(([name]) => name !== 'Authorization'),
  ])
  expect(again({ as: null }).headers.map(([name]) => name)).not.toContain('Authorization')
  expect(again({ headers: [['x-one', '2']] }).headers.at(-1)).toEqual(['x-one', '2'])
  expect(again({ agent: 'agent-2' }).path).toBe('/api/v1/chat/agent-2')
  expect(text(again({ raw: '{}' }))).toBe('{}')
})

test('a text to be repeated goes, as it is, to what the target declares to repeat it', () => {
  const odd = '$& $1 {text}\n\ndata: {}'
  expect(echoing(odd, setting)).toEqual({ message: `Please repeat this: ${odd}` })
  const echo = { agent: 'parrot', message: 'Say {text}, twice: {text}' }
  expect(echoing(odd, { ...setting, echo })).toEqual({
    agent: 'parrot',
    message: `Say ${odd}, twice: ${odd}`,
  })
})
