import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, test } from 'vitest'
import older from '../../spec/schemas/older.json' with { type: 'json' }
import { isObject } from '../json.ts'
import type { SimulatorOptions } from '../simulator.ts'
import type { Tenant } from '../tenant.ts'
import { createBook, type Remember } from '../tenant/book.ts'
import { nothingStored } from '../tenant/changes.ts'
import { createRandom } from '../tenant/random.ts'
import { retention } from '../limits.ts'
import { addToHistory, createOlderBooks } from './books.ts'
import { openOlder, type Answer, type How, type Older } from './older.testkit.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
ajv.addKeyword({ keyword: 'x-gap', schemaType: ['string', 'array'] })
ajv.addSchema(older)
const problemsOf = (name: keyof typeof older.$defs, value: unknown): string => {
  const fits = ajv.getSchema(`${older.$id}#/$defs/${name}`)
  return fits?.(value) ? '' : ajv.errorsText(fits?.errors)
}

const open: Older[] = []
afterEach(() => Promise.all(open.splice(0).map(({ simulator }) => simulator.close())))
async function start(options: SimulatorOptions = {}): Promise<Older> {
  const one = await openOlder(options)
  open.push(one)
  return one
}

const message = 'Where is my order?'

describe('a message', () => {
  test('is answered with a reply that fits the schema, and costs a credit', async () => {
    const { send, simulator } = await start()
    const { status, body, headers } = await send({ message, metadata: { page: '/orders' } })
    expect(status).toBe(200)
    expect(problemsOf('OlderChatReply', body)).toBe('')
    expect(body).toMatchObject({ response: `You said: ${message}`, credits_used: 1 })
    expect(simulator.tenant.credits('main')).toBe(999_999)
    expect(headers.get('x-ratelimit-remaining')).toBe('59')
    expect(Number(headers.get('x-ratelimit-reset'))).toBe(simulator.tenant.clock.now() / 1000 + 60)
  })

  test('is answered as texts, sources and done', async () => {
    const { send } = await start()
    const { events } = await send({ message, stream: true })
    expect(events.map((event) => problemsOf('OlderStreamEvent', event)).join('')).toBe('')
    expect([...new Set(events.map(({ type }) => type))]).toEqual(['text', 'sources', 'done'])
    expect(events.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('')).toBe(
      `You said: ${message}`,
    )
    expect(events.at(-1)).toMatchObject({ type: 'done', credits_used: 1, confidence: 0.9 })
  })

  test('carries each part in content, under that interpretation', async () => {
    const { send } = await start({ interpretations: { 'GAP-OLDER-EVENTS': 'content' } })
    const { events } = await send({ message, stream: true })
    expect(events.map((event) => Object.keys(event).join())).toEqual(events.map(() => 'type,content'))
  })

  test('whose turn fails in its stream ends without done', async () => {
    const { send } = await start()
    await expect(send({ message, stream: true }, { as: 'failing' })).rejects.toThrow('terminated')
    expect((await send({ message }, { as: 'failing' })).status).toBe(500)
  })
})

describe('a refusal', () => {
  const rows: readonly [what: string, status: number, ask: (older: Older) => Promise<Answer>][] = [
    ['of a body without a message', 400, ({ send }) => send({})],
    ['of a message that is no string', 400, ({ send }) => send({ message: 7 })],
    ['of a message that is too long', 400, ({ send }) => send({ message: 'm'.repeat(10_001) })],
    [
      'of a conversation whose id is too long',
      400,
      ({ send }) => send({ message, conversation_id: 'c'.repeat(101) }),
    ],
    ['of metadata that is no object', 400, ({ send }) => send({ message, metadata: 'x' })],
    ['of a stream that is no boolean', 400, ({ send }) => send({ message, stream: 'true' })],
    ['of an unknown conversation', 400, ({ send }) => send({ message, conversation_id: 'conv_none' })],
    ['of no key', 401, ({ send }) => send({ message }, { as: null })],
    ['of a key that nobody has', 401, ({ send }) => send({ message }, { token: 'ak_nobody' })],
    [
      'of a key of the current routes',
      401,
      ({ send, simulator }) => send({ message }, { token: simulator.tenant.keys.main }),
    ],
    [
      'of the key of another agent',
      403,
      ({ send, simulator }) => send({ message }, { agent: simulator.tenant.agents.second }),
    ],
    ['of an agent that the plan does not allow', 403, ({ send }) => send({ message }, { as: 'forbidden' })],
    ['of an agent that is not there', 404, ({ send }) => send({ message }, { agent: 'agent_none' })],
    [
      'of an agent of another account',
      404,
      ({ send, simulator }) => send({ message }, { agent: simulator.tenant.agents.foreign }),
    ],
    ['of a conversation that is not there', 404, ({ read }) => read('conv_none')],
  ]
  test.for(rows)('%s is a %i with a nested error and rate headers', async ([, expected, ask]) => {
    const { status, body, headers } = await ask(await start())
    expect(status).toBe(expected)
    expect(problemsOf('OlderErrorBody', body)).toBe('')
    expect(body['error']).not.toHaveProperty('retry_after')
    for (const name of ['limit', 'remaining', 'reset'])
      expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
  })

  test.for([
    ['limited', undefined],
    ['always', null],
  ] as const)('says when to come back: %s', async ([interpretation, otherwise]) => {
    const { send, simulator } = await start({ interpretations: { 'GAP-OLDER-RETRY-AFTER': interpretation } })
    const refused = (await send({})).body['error']
    expect(isObject(refused) && refused['retry_after']).toBe(otherwise)
    for (let sent = 1; sent < 60; sent++) await send({})
    const limited = await send({ message })
    expect(limited).toMatchObject({ status: 429, body: { error: { retry_after: 60 } } })
    expect((await send({ message }, { as: 'second' })).status).toBe(200)
    await simulator.tenant.clock.advance(60_000)
    expect((await send({ message })).status).toBe(200)
  })

  test('for want of credits is a 403, as no 402 is listed', async () => {
    const { send, simulator } = await start()
    simulator.tenant.setCredits('main', 0)
    expect(await send({ message })).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_credits' } },
    })
  })
})

test('a key is used up and given back like any other', async () => {
  const { send, simulator } = await start()
  simulator.tenant.exhaustRate('older-plain')
  expect((await send({ message })).status).toBe(429)
  simulator.tenant.resetRate(simulator.tenant.olderKeys.plain)
  expect((await send({ message })).status).toBe(200)
})

describe('a conversation', () => {
  test('is read with who said what when', async () => {
    const { send, read, simulator } = await start()
    const first = await send({ message: 'One' })
    await simulator.tenant.clock.advance(5_000)
    const id = first.body['conversation_id'] ?? null
    await send({ message: 'Two', conversation_id: id, stream: true })
    const { status, body } = await read(id)
    expect(status).toBe(200)
    expect(problemsOf('OlderConversation', body)).toBe('')
    expect(body).toMatchObject({ id, agent_id: simulator.tenant.agents.plain })
    expect(body['messages']).toMatchObject([
      { role: 'user', content: 'One', timestamp: body['created_at'] },
      { role: 'assistant', content: 'You said: One' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'You said: Two' },
    ])
    expect((await read(id, { as: 'second' })).status).toBe(403)
    expect((await read(id, { as: 'foreign' })).status).toBe(404)
    simulator.tenant.reset()
    expect((await read(id)).status).toBe(404)
  })
})

describe('an idempotency key', () => {
  const how: How = { headers: { 'idempotency-key': 'k' } }

  test('is not looked at', async () => {
    const { send, simulator } = await start()
    await send({ message }, how)
    await send({ message }, how)
    expect(simulator.tenant.credits('main')).toBe(999_998)
  })

  test('makes a retry safe under that interpretation, whichever way it is answered', async () => {
    const { send, simulator } = await start({ interpretations: { 'GAP-OLDER-KEY': 'taken' } })
    const { body } = await send({ message }, how)
    expect((await send({ message }, how)).body).toEqual(body)
    const streamed = await send({ message, stream: true }, how)
    expect(streamed.events.at(-1)).toMatchObject({ message_id: body['message_id'] })
    expect(await send({ message: 'Another' }, how)).toMatchObject({ status: 400 })
    expect(simulator.tenant.credits('main')).toBe(999_999)
  })
})

describe('where the older variant is not served', () => {
  test.for(['GET', 'POST', 'DELETE'])(
    '%s meets what it meets at a path that nobody knows',
    async (method) => {
      const { simulator } = await start({ legacy: false })
      const { tenant, url } = simulator
      const ask = async (path: string) => {
        const headers = { authorization: `Bearer ${tenant.olderKeys.plain}` }
        const response = await fetch(`${url}${path}`, { method, headers })
        return [response.status, [...response.headers.keys()], await response.text()]
      }
      const unknown = await ask('/v1/nothing')
      expect(unknown[0]).toBe(404)
      expect(await ask(`/v1/agents/${tenant.agents.plain}/chat`)).toEqual(unknown)
      expect(await ask('/v1/conversations/any')).toEqual(unknown)
    },
  )

  test('it is by the interpretation, too, and stays as it was opened', async () => {
    const { send, simulator } = await start({ legacy: false, interpretations: { 'GAP-OLDER-SERVED': 'yes' } })
    expect((await send({ message })).status).toBe(200)
    simulator.tenant.reset()
    expect((await send({ message })).status).toBe(404)
    const other = await start()
    other.simulator.tenant.reset()
    expect((await other.send({ message })).status).toBe(200)
  })
})

test('a key chooses its tenant, and is in no journal', async () => {
  const { send, simulator } = await start()
  const other = simulator.createTenant({ legacy: true })
  const token = other.olderKeys.plain
  await send({ message: `My key is ${token}` }, { token, agent: `${other.agents.plain}?key=${token}` })
  expect(await send({ message }, { token, agent: other.agents.plain })).toMatchObject({ status: 200 })
  expect(simulator.tenant.journal.entries()).toEqual([])
  const entries = await other.journal.waitFor({}, { count: 2 })
  expect(JSON.stringify(entries.map(({ path, headers }) => [path, headers]))).not.toContain(token)
  other.close()
  expect((await send({ message }, { token })).status).toBe(401)
})

test('of what was said in a conversation, the newest 1,048,576 characters are remembered', () => {
  const remember: Remember = (kind, limit, how) =>
    createBook({ kind, changes: nothingStored, limit, now: () => 0, ...how })
  const place = { agents: new Map(), accounts: new Map(), remember, retention }
  const books = createOlderBooks(createRandom('said'), place)
  const conversation = { id: 'c', agent: 'a', account: 'b', turns: 0, presses: 0, current: 0 }
  const said = Array.from({ length: 200 }, (_, at) => ({
    role: 'user' as const,
    content: `${at}`.padEnd(10_000, '.'),
    at,
  }))
  for (const one of said) addToHistory(books, conversation, [one])
  const [history] = books.histories.values()
  expect(history?.said).toEqual(said.slice(-104))
})

test('every tenant has the older routes where the first has them, unless it says otherwise', async () => {
  const { simulator } = await start()
  const send = async ({ agents, olderKeys }: Tenant) => {
    const headers = { authorization: `Bearer ${olderKeys.plain}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ message }) }
    return (await fetch(`${simulator.url}/v1/agents/${agents.plain}/chat`, init)).status
  }
  expect(await send(simulator.createTenant())).toBe(200)
  expect(await send(simulator.createTenant({ legacy: false }))).toBe(404)
})
