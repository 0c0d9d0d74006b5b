import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { entriesInArchive } from './har.ts'
import { createPrincipals } from './service.ts'

const sent = {
  method: 'POST',
  url: 'https://a.example/api/v1/chat/agent_1',
  headers: [],
  postData: { text: '{}' },
}
const came = { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"a":1}', size: 7 } }
const whole = {
  startedDateTime: '2026-11-29T12:00:00.000Z',
  time: 12,
  timings: { wait: 5 },
  request: sent,
  response: came,
}

function fileOf(text: string | Buffer): string {
  const path = join(temporaryFolder(onTestFinished), 'recording.har')
  writeFileSync(path, text)
  return path
}
const archive = (...entries: readonly object[]): string =>
  JSON.stringify({ log: { pages: [{ id: 'p' }], entries } })
const read = (...entries: readonly object[]) => [...entriesInArchive(fileOf(archive(...entries)))]
const bodyOf = (entry: ReturnType<typeof read>[number] | undefined): string =>
  Buffer.concat(entry?.response?.chunks.map(({ bytes }) => bytes) ?? []).toString()

test('an entry is an exchange with times since 1970', () => {
  const [entry] = read(whole)
  expect(entry).toMatchObject({
    sentAt: Date.UTC(2026, 10, 29, 12),
    failure: null,
    response: { status: 200, complete: true },
  })
  expect(entry && entry.endedAt - entry.sentAt).toBe(12)
  expect(entry && entry.response && entry.response.at - entry.sentAt).toBe(5)
  expect(bodyOf(entry)).toBe('{"a":1}')
})

test('braces, quotes and a byte order mark in any place do not confuse it', () => {
  const odd = { ...whole, comment: '}]{"\\', response: { ...came, content: { text: '{"b":"}]\\""}' } } }
  expect(
    [
      ...entriesInArchive(
        fileOf(`\ufeff${JSON.stringify({ log: { creator: { a: [{}] }, entries: [odd, odd] } }, null, 2)}`),
      ),
    ].map(bodyOf),
  ).toEqual(['{"b":"}]\\""}', '{"b":"}]\\""}'])
})

test('a header that is written twice was sent once', () => {
  const headers = [
    ['Origin', 'a'],
    ['origin', 'a'],
    ['origin', 'b'],
  ].map(([name, value]) => ({ name, value }))
  const [entry] = read({ ...whole, request: { ...sent, headers } })
  expect(entry?.request.headers).toEqual([
    ['origin', 'a'],
    ['origin', 'b'],
  ])
})

test('a key that was redacted, in whatever way, is not shown; its pseudonym is', () => {
  const marks = ['', '***', '•••', 'REDACTED', '[redacted]', '<redacted>', 'sk-xxxx', 'sk-a...f', '{{token}}']
  const shown = ['sk-0123456789', '[[key:a:0123abcd]]', 'eyJh.bGci', '[[key:main]]', '[[key:unknown-01ab]]']
  const principals = createPrincipals()
  const keysOf = (...values: readonly string[]) =>
    values
      .flatMap((value) =>
        read({ ...whole, request: { ...sent, headers: [{ name: 'Authorization', value }] } }),
      )
      .map((one) => principals.of(one))
  expect(keysOf(...marks, ...marks.map((mark) => `Bearer ${mark}`)).filter(Boolean)).toEqual([])
  expect(keysOf(...shown.map((key) => `Bearer ${key}`))).toEqual(shown.map((_, at) => `key-${at + 1}`))
})

const stream = (text: string): object => ({
  ...whole,
  response: { ...came, content: { mimeType: 'text/event-stream', text } },
})

test.for([
  ['no request body', { ...whole, request: { ...sent, postData: undefined } }, 'cut'],
  ['a redacted body', { ...whole, request: { ...sent, postData: { text: '{"a":"<Redacted>"}' } } }, 'cut'],
  ['no duration', { ...whole, time: -1 }, 'cut'],
  ['no response body', { ...whole, response: { ...came, content: { size: 7 } } }, 'cut'],
  ['an empty text of a size', { ...whole, response: { ...came, content: { size: 7, text: '' } } }, 'cut'],
  ['a stream without its end', stream('data: {"type":"token","token":"a"}\n\n'), 'cut'],
  ['a stream with its end', stream('data: {"type": "done"}\n\n'), undefined],
  ['no status', { ...whole, response: { ...came, status: 0 } }, 'aborted'],
  ['a status that never came', { ...whole, response: { ...came, status: -1, _failureText: 'a' } }, 'aborted'],
  ['an answer that was left', { ...whole, response: { ...came, content: {}, _failureText: 'a' } }, 'aborted'],
  ['an error of the browser', { ...whole, response: { ...came, _error: 'net::ERR_ABORTED' } }, 'aborted'],
  ['no body where there is none', { ...whole, response: { ...came, status: 204, content: {} } }, undefined],
] as const)('an entry with %s is judged as far as it goes', ([, entry, kind]) => {
  expect(read(entry)[0]?.failure?.kind).toBe(kind)
})

test('names of HTTP/2, what was decompressed and base64 are read as what they stand for', () => {
  const headers = [
    { name: ':method', value: 'POST' },
    { name: 'content-encoding', value: 'br' },
    { name: 'x-a', value: 'ü' },
  ]
  const text = Buffer.from('{"ü":1}').toString('base64')
  const content = { text, encoding: 'base64' }
  const [entry] = read({ ...whole, response: { ...came, httpVersion: 'h2', headers, content } })
  expect(entry?.response).toMatchObject({ http: 2, headers: [['x-a', 'Ã¼']] })
  expect(bodyOf(entry)).toBe('{"ü":1}')
})

const sentAs = (postData: object) => read({ ...whole, request: { ...sent, postData } })[0]
const members = [
  { name: 'message', value: 'a' },
  { name: 'stream', value: true },
]

test.for([
  ['members of JSON', 'application/json', members, '{"message":"a","stream":true}'],
  ['a list among them', 'application/json', [...members, ...members], null],
  ['a form', 'application/x-www-form-urlencoded', members, null],
] as const)('a request body as a list of %s', ([, mimeType, params, body]) => {
  const entry = sentAs({ mimeType, params })
  expect(entry?.failure === null ? Buffer.from(entry.request.body).toString() : null).toBe(body)
})

test.for([
  ['other text', 'hello', 'is no JSON'],
  ['no entries', '{"log":{"entries":[]}}', 'has no entries'],
  ['an end in the middle', archive(whole).slice(0, -9), 'is cut off'],
  ['nothing', '', 'has no entries'],
])('%s is refused in one line', ([, text = '', why]) => {
  const path = fileOf(text)
  expect(() => [...entriesInArchive(path)]).toThrow(new RegExp(`^[^\n]*${why}[^\n]*$`))
})

test('sockets, other schemes and what has no time are no exchanges', () => {
  const socket = { ...whole, _resourceType: 'websocket' }
  const data = { ...whole, request: { ...sent, url: 'data:text/plain,a' } }
  expect(read(whole, socket, data, { ...whole, startedDateTime: 'soon' })).toHaveLength(1)
})
