import { afterEach, describe, expect, test } from 'vitest'
import { ServiceError, StreamIncomplete } from '../errors.ts'
import type { StreamEvent } from './events.ts'
import { openService, turnOne, wireReply, type Scripted, type ServiceDouble } from '../service.testkit.ts'

let service: ServiceDouble
afterEach(() => service.close())

const data = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const token = (text: string) => ({ type: 'token', token: text })
const done = { type: 'done', ...wireReply }
const doneEvent = {
  type: 'done',
  response: wireReply.response,
  conversationId: wireReply.conversation_id,
  creditsUsed: 1,
  creditsRemaining: 97,
  replayed: false,
}

interface Streamed {
  events: StreamEvent[]
  /** What the iteration ended with; null where it ended well. */
  error: unknown
}

/** Everything that a stream gives, and how it ends. */
async function streamed(answer: Scripted): Promise<Streamed> {
  service = await openService(answer)
  const events: StreamEvent[] = []
  try {
    for await (const event of service.client().streamMessage(turnOne)) events.push(event)
  } catch (error) {
    return { events, error }
  }
  return { events, error: null }
}

test('LIB-STREAM: the turn asks for a stream, and its events are given one by one in their order', async () => {
  const events = [
    { type: 'action_start', actionName: 'find' },
    { type: 'action_complete', actionName: 'find', success: true },
    { type: 'gate_triggered', decision: 'rewrite', reason: 'why' },
    token('It is '),
    token('on its way.'),
  ]
  expect(await streamed({ parts: [data(...events, done)] })).toEqual({
    events: [...events, doneEvent],
    error: null,
  })
  expect(service.met[0]?.body).toEqual({ message: turnOne.message, stream: true })
})

test('LIB-STREAM: an event is given as soon as it is whole, whatever comes behind it', async () => {
  service = await openService({ parts: [data(token('a'))], end: 'never' })
  const stream = service.client().streamMessage(turnOne)
  expect(await stream.next()).toEqual({ done: false, value: token('a') })
  await stream.return()
  await service.met[0]?.closed
})

test('LIB-STREAM-CAMEL-CASE: the final fields are in camelCase, `presentation` and diagnostics as they came', async () => {
  const presentation = { version: 1, some_parts: [{ image_url: 'i' }] }
  const { events } = await streamed({ parts: [data({ ...done, presentation, model_name: 'm' })] })
  expect(events).toEqual([{ ...doneEvent, presentation, model_name: 'm' }])
  expect(JSON.stringify(events[0])).toContain(JSON.stringify(presentation))
})

test('LIB-STREAM-UNKNOWN, LIB-STREAM-CAMEL-CASE: an event of an unknown type is given, its members in camelCase', async () => {
  const unknown = { type: 'tool_progress', percent_done: 50, detail: { step_name: 'x' }, _id: 1 }
  const { events, error } = await streamed({ parts: [data(unknown, token('a'), done)] })
  const given = { type: 'tool_progress', percentDone: 50, detail: { step_name: 'x' }, _id: 1 }
  expect({ events, error }).toEqual({ events: [given, token('a'), doneEvent], error: null })
})

test('LIB-STREAM-UNKNOWN: what is no object with a type is passed over', async () => {
  const odd = 'data: [DONE]\n\ndata: ping\n\ndata: null\n\ndata: {"no":"type"}\n\n'
  expect((await streamed({ parts: [odd, data(token('a'), done)] })).events).toEqual([token('a'), doneEvent])
})

test('two data lines without an empty line between them are two events', async () => {
  const text = data(token('a'), done).replace('\n\n', '\n')
  expect((await streamed({ parts: [text] })).events).toEqual([token('a'), doneEvent])
})

test('LIB-STREAM-SPLIT-LINE, LIB-STREAM-SPLIT-CHARACTER: a stream may come a byte at a time', async () => {
  const bytes = new TextEncoder().encode(`: hi\r\n${data(token('é世🙂'), done)}`)
  const { events } = await streamed({ parts: Array.from(bytes, (byte) => Uint8Array.of(byte)) })
  expect(events).toEqual([token('é世🙂'), doneEvent])
})

test('LIB-STREAM-GRAMMAR: comments, a mark, other fields and CR alone are understood on the wire', async () => {
  const text = `\ufeff: hi\revent: done\rid: 1\r${data(token('a'), done).replaceAll('\n', '\r')}`
  expect((await streamed({ parts: [text] })).events).toEqual([token('a'), doneEvent])
})

test('LIB-STREAM-ERROR: an error event is thrown, and is no reply', async () => {
  const error = { type: 'error', error: 'The model stopped.', some_member: 1 }
  const got = await streamed({ parts: [data(token('a'), error, done)] })
  expect(got.events).toEqual([token('a')])
  expect(got.error).toBeInstanceOf(ServiceError)
  expect(got.error).toMatchObject({ status: 200, code: null, body: error })
  expect(String(got.error)).toContain('The model stopped.')
  expect((got.error as ServiceError).advice).toMatch(/same key/)
})

test('LIB-NO-FALSE-REPLY: a done without a text is thrown, and is no reply', async () => {
  const { events, error } = await streamed({ parts: [data(token('a'), { type: 'done', error: 'gone' })] })
  expect([events, error]).toEqual([[token('a')], expect.any(ServiceError)])
})

describe('a stream that ends without done', () => {
  const cases: Readonly<Record<string, Scripted>> = {
    'ends as if it were whole': { parts: [data(token('a'))] },
    'is reset': { parts: [data(token('a')), 'data: {"type":"tok'], end: 'reset' },
    'lacks the empty line behind done': { parts: [data(token('a')), `data: ${JSON.stringify(done)}\n`] },
    'breaks off within done': { parts: [data(token('a')), `data: {"type":"done","respon`] },
  }

  test.for(Object.entries(cases))('LIB-STREAM-CUT: that %s, is incomplete', async ([, answer]) => {
    const { events, error } = await streamed(answer)
    expect(events).toEqual([token('a')])
    expect(error).toBeInstanceOf(StreamIncomplete)
    expect((error as StreamIncomplete).advice).toMatch(/same request again with the same key/)
    expect(service.met).toHaveLength(1)
  })
})

describe('the end', () => {
  const behind: Readonly<Record<string, Scripted>> = {
    'a second done': { parts: [data(done, done)] },
    'a second done in a write of its own': { parts: [data(done), data(done)] },
    'a token': { parts: [data(done), data(token('late'))] },
    'an error': { parts: [data(done, { type: 'error', error: 'late' })] },
    'what is no event': { parts: [data(done), 'garbage'] },
    'a reset': { parts: [data(done)], end: 'reset' },
    nothing: { parts: [data(done)], end: 'never' },
  }

  test.for(Object.entries(behind))(
    'LIB-STREAM-ONCE: is done, and %s behind it counts for nothing',
    async ([, answer]) => {
      expect(await streamed(answer)).toEqual({ events: [doneEvent], error: null })
    },
  )

  test('of a stream that is answered as JSON is one done', async () => {
    const headers = {
      'content-type': 'Application/JSON; charset=utf-8',
      'x-service-idempotent-replay': 'true',
    }
    const { events } = await streamed({ headers, body: { ...wireReply, type: 'diagnostic' } })
    expect(events).toEqual([{ ...doneEvent, replayed: true }])
  })

  test('is marked as replayed where the header says so', async () => {
    const headers = { 'x-service-idempotent-replay': 'true' }
    expect((await streamed({ parts: [data(done)], headers })).events).toEqual([
      { ...doneEvent, replayed: true },
    ])
  })
})

describe('who leaves', () => {
  const endless: Scripted = { parts: [data(token('a'), token('b'))], end: 'never' }

  test('by breaking out of the loop ends the request', async () => {
    service = await openService(endless)
    for await (const event of service.client().streamMessage(turnOne)) {
      expect(event).toEqual(token('a'))
      break
    }
    await service.met[0]?.closed
    expect(service.met).toHaveLength(1)
  })

  test('by the signal gets its reason, and ends the request', async () => {
    service = await openService(endless)
    const stop = new AbortController()
    const stream = service.client().streamMessage({ ...turnOne, signal: stop.signal })
    await stream.next()
    await stream.next()
    const next = stream.next()
    stop.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    await service.met[0]?.closed
  })

  test('before the first event has sent nothing', async () => {
    service = await openService(endless)
    await service.client().streamMessage(turnOne).return()
    expect(service.met).toEqual([])
  })
})

/** Parts that are there as soon as they are asked for, so that no time passes but what a test lets pass. */
function atHand(parts: readonly string[], end: 'close' | 'never'): { fetch: () => Promise<Response> } {
  const left = parts.map((part) => new TextEncoder().encode(part))
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const part = left.shift()
      if (part) controller.enqueue(part)
      else if (end === 'close') controller.close()
    },
  })
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  return { fetch: () => Promise.resolve(response) }
}

describe('time', () => {
  test('LIB-STREAM-CUT: that is over while an event is waited for makes a stream incomplete', async () => {
    service = await openService()
    const stream = service
      .client({ timeoutMs: 30, ...atHand([data(token('a'))], 'never') })
      .streamMessage(turnOne)
    expect(await stream.next()).toMatchObject({ value: token('a') })
    await expect(stream.next()).rejects.toThrow(StreamIncomplete)
  })

  test('does not count while the caller is busy with an event', async () => {
    service = await openService()
    const events: StreamEvent[] = []
    const parts = atHand([data(token('a')), data(token('b')), data(done)], 'close')
    for await (const event of service.client({ timeoutMs: 20, ...parts }).streamMessage(turnOne)) {
      events.push(event)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    expect(events).toEqual([token('a'), token('b'), doneEvent])
  })
})

test('LIB-IN-PROGRESS: a stream in progress is asked for again when that is asked for, with the same bytes', async () => {
  service = await openService(
    { status: 409, body: { error: 'REQUEST_IN_PROGRESS' } },
    { parts: [data(done)] },
  )
  const events: StreamEvent[] = []
  const turn = { ...turnOne, resendInProgress: { waitMs: 1, times: 1 } }
  for await (const event of service.client().streamMessage(turn)) events.push(event)
  expect(events).toEqual([doneEvent])
  expect(service.met.map(({ text }) => text)).toEqual([service.met[0]?.text, service.met[0]?.text])
})
