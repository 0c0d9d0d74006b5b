import { expect, test } from 'vitest'
import { createClock } from '../clock/clock.ts'
import { type StreamEvent, encodedEvents, frame, eventTexts } from '../edge/reply.ts'
import { plainWire } from '../edge/wire.ts'

const token = { type: 'token', token: 'a\n\ndata: {"type":"done"}\r\u2028' }

async function* from(...events: readonly StreamEvent[]): AsyncIterable<StreamEvent> {
  yield* events
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

test('text that looks like an event stays within its data line', () => {
  const text = frame(token, plainWire)
  expect(text.split('\n')).toHaveLength(3)
  expect(text.startsWith('data: {"type":"token",')).toBe(true)
  expect(text.endsWith('}\n\n')).toBe(true)
  expect(text).not.toContain('\r')
})

test.for([token, { type: 'done', response: 'é', credits_used: 1 }])(
  'the plain style writes %j as its members say',
  (event) => expect(frame(event, plainWire)).toBe(frame(event, { ...plainWire })),
)

test('the same bytes come out however they are cut', async () => {
  const clock = createClock({ mode: 'frozen' })
  const events = [token, { type: 'token', token: '🙂é世' }, { type: 'done', response: '' }]
  const bytes = async (chunkBytes: number | null, buffered = false) => {
    const wire = { ...plainWire, chunkBytes, buffered }
    return all(encodedEvents(eventTexts(from(...events), wire, clock), wire))
  }
  const whole = Buffer.concat(await bytes(null))
  for (const chunkBytes of [1, 2, 3, 7, 1_000]) expect(Buffer.concat(await bytes(chunkBytes))).toEqual(whole)
  expect((await bytes(1)).every((chunk) => chunk.length === 1)).toBe(true)
  expect(await bytes(null, true)).toEqual([whole])
})

test('a silent stream is kept alive by comments', async () => {
  const clock = createClock({ mode: 'frozen' })
  async function* slow(): AsyncIterable<StreamEvent> {
    await clock.sleep(2_500)
    yield token
  }
  const said = all(eventTexts(slow(), { ...plainWire, keepAliveMs: 1_000 }, clock))
  await clock.advance(3_000)
  expect(await said).toEqual([': keep-alive\n\n', ': keep-alive\n\n', frame(token, plainWire)])
})
