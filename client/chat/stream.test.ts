import { afterEach, describe, expect, test } from 'vitest'
import { ServiceError, StreamIncomplete } from '../errors.ts'
import type { StreamEvent } from './reply.ts'
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

test('LIB-STREAM: an event is given as soon as it is whole, whatever comes behind it', async () => {
  service = await openService({ parts: [data(token('a'))], end: 'never' })
  const stream = service.client().streamMessage(turnOne)
  expect(await stream.next()).toEqual({ done: false, value: token('a') })
  await stream.return()
  await service.met[0]?.closed
})

const unknown = { type: 'tool_progress', percent_done: 50, detail: { step_name: 'x' }, _id: 1 }
const unknownEvent = { type: 'tool_progress', percentDone: 50, detail: { step_name: 'x' }, _id: 1 }
const presentation = { version: 1, some_parts: [{ image_url: 'i' }] }
const odd = 'data: [DONE]\n\ndata: ping\n\ndata: null\n\ndata: {"no":"type"}\n\n'
const replayHeader = { 'x-service-idempotent-replay': 'true' }
const asJson = { 'content-type': 'Application/JSON; charset=utf-8', ...replayHeader }
const later = (...parts: readonly string[]): Scripted => ({ parts: [data(done), ...parts] })

const whole: Readonly<Record<string, readonly [answer: Scripted, events: readonly object[]]>> = {
  'diagnostics as they came': [
    { parts: [data({ ...done, presentation, model_name: 'm' })] },
    [{ ...doneEvent, presentation, model_name: 'm' }],
  ],
  'an event of an unknown type in camelCase': [{ parts: [data(unknown, done)] }, [unknownEvent, doneEvent]],
  'nothing of what is no object with a type': [
    { parts: [odd, data(token('a'), done)] },
    [token('a'), doneEvent],
  ],
  'two events of two data lines without an empty line between them': [
    { parts: [data(token('a'), done).replace('\n\n', '\n')] },
    [token('a'), doneEvent],
  ],
  'one done of an answer in JSON': [
    { headers: asJson, body: { ...wireReply, type: 'diagnostic' } },
    [{ ...doneEvent, replayed: true }],
  ],
  'a replay where the header says so': [
    { parts: [data(done)], headers: replayHeader },
    [{ ...doneEvent, replayed: true }],
  ],
  'no second done': [{ parts: [data(done, done)] }, [doneEvent]],
  'no second done in a write of its own': [later(data(done)), [doneEvent]],
  'no token behind done': [later(data(token('late'))), [doneEvent]],
  'no error behind done': [later(data({ type: 'error', error: 'late' })), [doneEvent]],
  'nothing of what is no event behind done': [later('garbage'), [doneEvent]],
  'done before a reset': [{ ...later(), end: 'reset' }, [doneEvent]],
  'done where nothing ends the answer': [{ ...later(), end: 'never' }, [doneEvent]],
}

test.for(Object.entries(whole))('a stream gives %s', async ([, [answer, events]]) => {
  expect(await streamed(answer)).toEqual({ events, error: null })
})

const cutShort: Readonly<Record<string, Scripted>> = {
  'ends as if it were whole': { parts: [data(token('a'))] },
  'is reset': { parts: [data(token('a')), 'data: {"type":"tok'], end: 'reset' },
  'lacks the empty line behind done': { parts: [data(token('a')), `data: ${JSON.stringify(done)}\n`] },
  'breaks off within done': { parts: [data(token('a')), `data: {"type":"done","respon`] },
}

test.for(Object.entries(cutShort))('LIB-STREAM-CUT: a stream that %s is incomplete', async ([, answer]) => {
  const { events, error } = await streamed(answer)
  expect(events).toEqual([token('a')])
  expect(error).toBeInstanceOf(StreamIncomplete)
  expect((error as StreamIncomplete).advice).toMatch(/same request again with the same key/)
  expect(service.met).toHaveLength(1)
})

test.for([
  { type: 'error', error: 'The model stopped.', some_member: 1 },
  { type: 'done', error: 'The model stopped.' },
])('LIB-STREAM-ERROR: %o is thrown, and is no reply', async (body) => {
  const { events, error } = await streamed({ parts: [data(token('a'), body, done)] })
  expect(events).toEqual([token('a')])
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ status: 200, code: null, body })
  expect(String(error)).toContain('The model stopped.')
  expect((error as ServiceError).advice).toMatch(/same key/)
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
})
