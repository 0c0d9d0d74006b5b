import { expect, test } from 'vitest'
import { har } from './har.ts'
import { exchange, finding, runOf } from '../testing/run.testkit.ts'
import type { Exchange } from '../../bundle/record.ts'

interface Entry {
  startedDateTime: string
  time: number
  comment: string
  request: { url: string; queryString: unknown; postData?: unknown }
  response: { status: number; content: Record<string, unknown> }
  timings: Record<string, number>
  _inbound?: unknown
  _failure?: unknown
  _chunks?: unknown
}
const entriesOf = (...journal: readonly Exchange[]): readonly Entry[] =>
  (JSON.parse(String(har.render(runOf([], {}, journal)))) as { log: { entries: readonly Entry[] } }).log
    .entries

const { request } = exchange(1)

test('an exchange is an entry, with its bodies as text and the time that each read came at', () => {
  const [entry] = entriesOf(exchange(1))
  expect(entry).toMatchObject({
    startedDateTime: '2026-11-01T12:00:00.010Z',
    time: 7,
    comment: 'idempotency/replay, turn1',
    request: {
      method: 'POST',
      url: 'https://staging.example/api/v1/chat/agent-1',
      postData: { mimeType: 'application/json', text: '{"message":"Hello"}' },
    },
    response: { status: 200, content: { mimeType: 'application/json', text: '{"response":"Hi"}' } },
    timings: { send: 0, wait: 5, receive: 2 },
    _chunks: [[6, 17]],
  })
})

test('of an address with an id of any length it has the beginning, and says so', () => {
  const path = `/api/v1/chat/${'%F0'.repeat(100_000)}?key=1`
  const [entry] = entriesOf({ ...exchange(1), request: { ...request, path } })
  expect(entry?.request.url.length).toBeLessThan(9_000)
  expect(entry?.request).toMatchObject({ comment: '…, 300019 characters in journal.ndjson' })
})

test('what came in is marked, and goes to no address of the target', () => {
  const [entry] = entriesOf({ ...exchange(1), inbound: { place: '/run/a', targetAt: 3 } })
  expect(entry?.comment).toBe('came in: idempotency/replay, turn1')
  expect(entry).toMatchObject({ _inbound: { place: '/run/a', targetAt: 3 } })
  expect(new URL(entry?.request.url ?? '').hostname).toBe('receiver.invalid')
})

test.for<[host: string, origin: string]>([
  ['127.0.0.1:40123', 'http://127.0.0.1:40123'],
  ['no host', 'http://127.0.0.1'],
])('a request of a client with the Host %s went to %s', ([host, origin]) => {
  const target = { name: 'app', kind: 'client', baseUrl: 'http://127.0.0.1' } as const
  const sent = { ...exchange(1), request: { ...request, headers: [['Host', host]] as const } }
  expect(har.render(runOf([], { target }, [sent]))).toContain(`"url":"${origin}/api/v1/chat/agent-1"`)
})

test('what was never answered has status 0 and its reason', () => {
  const failure = { kind: 'reset', message: 'ECONNRESET' } as const
  const [entry] = entriesOf({ ...exchange(1), response: null, failure })
  expect(entry).toMatchObject({
    response: { status: 0 },
    _failure: failure,
    timings: { wait: 7, receive: 0 },
  })
})

test.each([
  [
    '/a b?x=1&y=%20',
    [
      { name: 'x', value: '1' },
      { name: 'y', value: ' ' },
    ],
  ],
  ['/%zz/\u00e9', []],
  ['//[', []],
] as const)('%s is written as an address that can be read', (path, queryString) => {
  const [entry] = entriesOf({ ...exchange(1), request: { ...request, path } })
  expect(URL.canParse(entry?.request.url ?? '')).toBe(true)
  expect(entry?.request.queryString).toEqual(queryString)
})

test('bytes that are no text are in base64, and say so', () => {
  const chunks = [{ at: 12, bytes: Uint8Array.of(0xff, 0x00) }]
  const given = exchange(1)
  const [entry] = entriesOf({ ...given, response: given.response && { ...given.response, chunks } })
  expect(entry?.response.content).toMatchObject({ text: '/wA=', encoding: 'base64', size: 2 })
})

test('of a long run it has what findings cite, and says where the rest is', () => {
  const journal = Array.from({ length: 3_002 }, (_, at) => exchange(at + 1))
  const run = runOf([finding({ evidence: [3_002] })], {}, journal)
  const { log } = JSON.parse(String(har.render(run))) as {
    log: { comment: string; entries: readonly (Entry & { _id: number })[] }
  }
  expect(log.comment).toBe('2 more exchanges are in journal.ndjson')
  expect(log.entries).toHaveLength(3_000)
  expect(log.entries.slice(-2).map(({ _id }) => _id)).toEqual([2_999, 3_002])
})
