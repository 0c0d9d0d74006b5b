import { afterEach, describe, expect, test } from 'vitest'
import type { ChatTurn } from './reply.ts'
import { InvalidCall, NoAnswer, ServiceError } from '../errors.ts'
import type { FetchFunction } from '../http/transport.ts'
import {
  apiKey,
  openService,
  turnOne,
  wireReply,
  type Scripted,
  type ServiceDouble,
} from '../service.testkit.ts'

let service: ServiceDouble
afterEach(() => service.close())

const refusal = (status: number, body: object, headers = {}): Scripted => ({ status, body, headers })

/** What a call was rejected with. */
async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error,
  )
}

describe('a turn on the wire', () => {
  test('LIB-THIN: calls the HTTP API with the fetch that was handed in, once', async () => {
    service = await openService({ body: wireReply })
    const urls: string[] = []
    const client = service.client({ fetch: (url, init) => (urls.push(url), fetch(url, init)) })
    await client.sendMessage(turnOne)
    expect(urls).toEqual([`${service.url}/api/v1/chat/agent_1`])
  })

  test('a redirect is not followed, so that the key goes nowhere else', async () => {
    const other = await openService({ body: wireReply })
    service = await openService({ status: 307, headers: { location: `${other.url}/api/v1/chat/agent_1` } })
    const error = await thrown(service.client().sendMessage(turnOne))
    expect(error).toMatchObject({ status: 307, advice: expect.stringContaining('baseUrl') as string })
    expect(other.met).toEqual([])
    await other.close()
  })
})

describe('a reply', () => {
  test('has the four names in camelCase, diagnostics under their own, and `presentation` to the byte', async () => {
    const customer_message = { ai_reply: { is_paused: true }, stored_at: 'now' }
    const further = { model_name: 'm', timing: { total_ms: 1 } }
    const presentation = '{"some_parts":[{"image_url":"https://e.example/é.png","__proto__":1}],"z":0,"a":1}'
    const body = { ...wireReply, customer_message, creditsUsed: 'no', ...further }
    service = await openService({
      body: JSON.stringify(body).replace(/\}$/, `,"presentation":${presentation}}`),
    })
    const { presentation: given, ...reply } = await service.client().sendMessage(turnOne)
    expect(reply).toEqual({
      response: wireReply.response,
      conversationId: wireReply.conversation_id,
      creditsUsed: 1,
      creditsRemaining: 97,
      customerMessage: customer_message,
      ...further,
      replayed: false,
    })
    expect(JSON.stringify(given)).toBe(presentation)
  })

  test.for([
    ['true', true],
    ['false', false],
  ] as const)('the replay header %s makes `replayed` %s', async ([value, replayed]) => {
    service = await openService({ body: wireReply, headers: { 'X-Service-Idempotent-Replay': value } })
    expect((await service.client().sendMessage(turnOne)).replayed).toBe(replayed)
  })
})

const wrong: Readonly<Record<string, Partial<Record<keyof ChatTurn, unknown>>>> = {
  'LIB-KEY-REQUIRED: no idempotency key': { idempotencyKey: undefined },
  'an empty idempotency key': { idempotencyKey: '' },
  'an idempotency key of 256 characters': { idempotencyKey: 'k'.repeat(256) },
  'an idempotency key with a line end': { idempotencyKey: 'k\r\nx-other: 1' },
  'an idempotency key that a header would trim': { idempotencyKey: 'k ' },
  'an idempotency key beyond what a header carries': { idempotencyKey: 'ключ' },
  'no message': { message: undefined },
  'an empty message': { message: '' },
  'a message of 10,001 characters': { message: 'x'.repeat(10_001) },
  'an agent id that leads out of its place': { agentId: '..' },
  'an interaction that is no object': { interaction: 'yes' },
}

test.for(Object.entries(wrong))('%s fails before anything is sent', async ([, part]) => {
  service = await openService()
  const turn = { ...turnOne, ...part } as ChatTurn
  const client = service.client()
  const error = await thrown(client.sendMessage(turn))
  expect(error).toBeInstanceOf(InvalidCall)
  expect(error).toBeInstanceOf(TypeError)
  expect((error as InvalidCall).advice).not.toBe('')
  expect(await thrown(client.streamMessage(turn).next())).toBeInstanceOf(InvalidCall)
  expect(service.met).toEqual([])
})

describe('a refusal', () => {
  const advice = (words: string) => ({ advice: expect.stringContaining(words) as string })
  const uncertain = { error: 'OUTCOME_UNCERTAIN', message: 'It is not known.' }
  const stale = { error: 'Too late.', code: 'WORKFLOW_INTERACTION_STALE' }
  const limited = { error: 'RATE_LIMITED', retry_after_seconds: 1.5, limit: 60, remaining: 0 }
  const poor = { error: 'INSUFFICIENT_CREDITS', credits_required: 2, credits_remaining: 0.5 }
  const inProgress = { error: 'FORBIDDEN', message: 'It is not REQUEST_IN_PROGRESS.' }
  const small = { error: 'Who are you?', error_code: 'key.invalid' }
  const negative = { error: 'Slow.', retry_after_seconds: -5 }
  const which = { error: 'Which?', error_code: 'KEY_REQUIRED' }
  const page = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Later</h1>' }

  test.for<[what: string, answer: Scripted, error: object]>([
    ['no code', refusal(401, { error: 'Who are you?' }), { status: 401, code: null }],
    ['a code of another status', refusal(403, inProgress), { status: 403, code: 'FORBIDDEN' }],
    ['an uncertain outcome', refusal(409, uncertain), { status: 409, ...advice('never use a new key') }],
    ['a stale button', refusal(409, stale), { code: stale.code, ...advice('current button') }],
    ['a turn in progress', refusal(409, { error: 'REQUEST_IN_PROGRESS: wait.' }), advice('Wait')],
    ['a time to wait', refusal(429, limited), { status: 429, retryAfterSeconds: 1.5 }],
    ['a header to wait', refusal(429, { error: 'Slow.' }, { 'retry-after': '3' }), { retryAfterSeconds: 3 }],
    ['a wait of less than nothing', refusal(429, negative), { retryAfterSeconds: 0 }],
    ['credits', refusal(402, poor), { code: poor.error, creditsRequired: 2, creditsRemaining: 0.5 }],
    ['error_code', refusal(400, which), { code: 'KEY_REQUIRED', message: expect.stringContaining('Which?') }],
    [
      'a code in small letters',
      refusal(401, small),
      { message: expect.stringMatching(/^401 key\.invalid: Who/) },
    ],
    ['a code in `error`', refusal(403, { error: 'agent_out-of-scope' }), { code: 'agent_out-of-scope' }],
    ['one word in `error`', refusal(404, { error: 'Unknown' }), { code: null }],
    ['no JSON', page, { status: 503, code: null, body: page.body }],
  ])('with %s is thrown, and nothing is sent again', async ([, answer, error]) => {
    service = await openService(answer, answer, answer)
    const got = await thrown(service.client().sendMessage(turnOne))
    expect(got).toBeInstanceOf(ServiceError)
    expect(got).toMatchObject(error)
    expect((got as ServiceError).advice).not.toBe('')
    expect(await thrown(service.client().streamMessage(turnOne).next())).toMatchObject(error)
    expect(service.met).toHaveLength(2)
  })

  test('shows the API key nowhere', async () => {
    service = await openService(refusal(401, { error: 'no' }))
    const client = service.client()
    const error = (await thrown(client.sendMessage(turnOne))) as ServiceError
    const shown = [
      JSON.stringify(client),
      JSON.stringify(error),
      String(error.stack),
      Object.keys(client).join(''),
    ]
    expect(shown.join('\n')).not.toContain(apiKey)
  })
})

describe('a turn in progress', () => {
  const inProgress = refusal(409, { error: 'REQUEST_IN_PROGRESS' })
  const resendInProgress = { waitMs: 5, times: 2 }

  test.for([{ times: 20 }, { waitMs: Number.NaN, times: 1 }, { waitMs: 5 }, { waitMs: 5, times: -1 }])(
    'is not sent at all where %o would send it without a pause or without end',
    async (how) => {
      service = await openService(inProgress)
      const turn = { ...turnOne, resendInProgress: how as typeof resendInProgress }
      expect(await thrown(service.client().sendMessage(turn))).toMatchObject({ name: 'InvalidCall' })
      expect(await thrown(service.client().streamMessage(turn).next())).toMatchObject({ name: 'InvalidCall' })
      expect(service.met).toHaveLength(0)
    },
  )

  test.for([
    ['so many times and no more', inProgress, 'REQUEST_IN_PROGRESS', 3],
    ['until anything else is answered', refusal(409, { error: 'OUTCOME_UNCERTAIN' }), 'OUTCOME_UNCERTAIN', 2],
  ] as const)('goes out again, when asked, %s', async ([, second, code, times]) => {
    service = await openService(inProgress, second, inProgress, inProgress)
    const error = await thrown(service.client().sendMessage({ ...turnOne, resendInProgress }))
    expect(error).toMatchObject({ code })
    expect(service.met.map(({ text }) => text)).toEqual(Array(times).fill(service.met[0]?.text))
  })
})

describe('no answer', () => {
  const same = /same request again with the same key/

  test.for([
    ['a connection that is cut in the answer', { parts: ['{"response":'], end: 'reset' }],
    ['a reply that is no JSON', { body: 'OK' }],
  ] as const)(
    'LIB-NO-FALSE-REPLY: %s says to send the same again, and is not sent again',
    async ([, answer]) => {
      service = await openService(answer, answer)
      const error = await thrown(service.client().sendMessage(turnOne))
      expect(error).toBeInstanceOf(NoAnswer)
      expect((error as NoAnswer).advice).toMatch(same)
      expect(service.met).toHaveLength(1)
    },
  )

  test('LIB-NO-FALSE-REPLY: time that is over says so, and nothing is sent again', async () => {
    service = await openService()
    let calls = 0
    const silent: FetchFunction = (_, { signal }) => {
      calls++
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    }
    const error = await thrown(service.client({ timeoutMs: 20, fetch: silent }).sendMessage(turnOne))
    expect(error).toBeInstanceOf(NoAnswer)
    expect(String(error)).toMatch(/nothing came for too long.*same key/)
    expect(calls).toBe(1)
  })
})

test.for([{ error: 'It broke.', code: 'SERVER_BROKE' }, { response: null, conversation_id: 'c-1' }, {}])(
  'LIB-NO-FALSE-REPLY: %o is no reply, though it came with a 200',
  async (body) => {
    service = await openService({ body })
    const error = await thrown(service.client().sendMessage(turnOne))
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 200, body })
  },
)
