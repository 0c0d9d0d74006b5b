import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  answer,
  done,
  frames,
  jsonAnswer,
  streamAnswer,
  token,
} from '../../../assertions/exchange.testkit.ts'
import {
  dataJson,
  dataPrefix,
  dataType,
  finalBlank,
  knownLines,
  separated,
  utf8,
  wellFramed,
} from './stream-lines.ts'
import {
  cleanEnd,
  closesSoon,
  ended,
  eventsOf,
  notEncoded,
  streamCharset,
  wholeStream,
  streamType,
  terminalOf,
} from './stream.ts'

const plain = frames(token('Hello'), done)
const typed = (value: string, body = plain) => answer(body, { headers: [['content-type', value]] })
const coded = (...codings: readonly string[]) =>
  answer(plain, {
    headers: [
      ['content-type', 'text/event-stream'],
      ...codings.map((coding) => ['content-encoding', coding] as const),
    ],
  })
const torn = { ...done, response: '\uFFFD' }

describe('what is wrong with a stream is said in full', () => {
  test.for<readonly [(exchange: Exchange) => Judgement, Exchange, string, string]>([
    [
      ended,
      streamAnswer(frames(token('a'))),
      'a `done` or `error` event',
      'data: {"type":"token","token":"a"}\n\n',
    ],
    [streamType, typed('text/plain', ''), 'content type text/event-stream', 'text/plain'],
    [streamType, answer(plain), 'content type text/event-stream', 'no content type'],
    [streamCharset, typed('text/event-stream; charset=xutf-8'), 'charset utf-8, or none', 'charset xutf-8'],
    [streamCharset, typed('text/event-stream; charset=utf-8x'), 'charset utf-8, or none', 'charset utf-8x'],
    [notEncoded, coded('gzip', 'br'), 'no content-encoding', 'gzip, br'],
    [cleanEnd, streamAnswer(plain, { failure: 'reset' }), 'a body that ends cleanly', 'reset: made by hand'],
    [
      cleanEnd,
      streamAnswer(plain, { failure: 'protocol' }),
      'a body that ends cleanly',
      'protocol: made by hand',
    ],
    [closesSoon, streamAnswer(plain, { lingers: 6000 }), 'an end within 5 s', 'open for 6000 ms'],
    [utf8, streamAnswer(Buffer.from(`: \xff\n\n${plain}`, 'latin1')), 'UTF-8', 'other bytes in ": \uFFFD"'],
    [utf8, streamAnswer(frames(token('\uFFFD'), done)), 'whole characters in tokens', 'U+FFFD in a token'],
    [
      knownLines,
      streamAnswer(`colour: green\n${plain}`),
      'an empty line, a comment or a known field',
      '"colour: green"',
    ],
    [knownLines, streamAnswer(`\uFEFF${plain}`), 'no byte order mark', 'one at the beginning'],
    [
      knownLines,
      streamAnswer(`event: other\n${frames(done)}`),
      'an event field that repeats the type',
      `other for ${JSON.stringify(done)}`,
    ],
    [
      dataPrefix,
      streamAnswer(plain.replace('data: ', 'data:')),
      'a line that starts with `data: `',
      '"data:{\\"type\\":\\"token\\",\\"token\\":\\"Hello\\"}"',
    ],
    [dataPrefix, streamAnswer(`DATA : 1\n\n${plain}`), 'a line that starts with `data: `', '"DATA : 1"'],
    [
      dataPrefix,
      streamAnswer(`  { "type": 1}\n\n${plain}`),
      'a line that starts with `data: `',
      '"  { \\"type\\": 1}"',
    ],
    [dataPrefix, streamAnswer(`data:  {}\n\n${plain}`), 'one space', '"data:  {}"'],
    [dataJson, streamAnswer(`data: 7\n\n${plain}`), 'one JSON object after `data: `', '"data: 7"'],
    [
      dataType,
      streamAnswer(frames({ type: 7 }) + plain),
      'an object with a string `type`',
      '"data: {\\"type\\":7}"',
    ],
    [
      separated,
      streamAnswer(`data: {}\ndata: {}\n\n${plain}`),
      'an empty line between two data lines',
      '{}\n{}',
    ],
    [
      finalBlank,
      streamAnswer(`${plain}data: {}`),
      'an empty line after the last event',
      'the body ends after {}',
    ],
  ])('%o of %#', ([judge, exchange, expected, got]) => {
    expect(judge(exchange)).toMatchObject({ expected, got })
  })

  test.for<readonly [(exchange: Exchange) => Judgement, Exchange, string]>([
    [wholeStream, jsonAnswer({}, { status: 404 }), '`turn` was answered 404'],
    [wholeStream, jsonAnswer({}, { status: 429 }), '`turn` was answered 429, which is not the point here'],
    [wholeStream, jsonAnswer({}), '`turn` was not answered with a stream'],
    [
      wholeStream,
      streamAnswer(frames(token('a')), { failure: 'reset' }),
      'the stream of `turn` broke off: made by hand',
    ],
    [streamType, jsonAnswer({}, { status: 404 }), '`turn` was answered 404'],
    [cleanEnd, streamAnswer(plain, { failure: 'timeout' }), 'the body was not seen to end: made by hand'],
    [cleanEnd, jsonAnswer({}, { failure: 'reset' }), 'the body was not seen to end: made by hand'],
    [
      cleanEnd,
      streamAnswer(plain, { status: 500, failure: 'reset' }),
      'the body was not seen to end: made by hand',
    ],
    [dataJson, streamAnswer(': nothing\n\n'), 'there are no such lines'],
  ])('%o is inconclusive for %#', ([judge, exchange, because]) => {
    expect(judge(exchange)).toEqual({ is: 'inconclusive', because })
  })

  test('a body that broke off, though nothing failed, is not whole', () => {
    const one = streamAnswer(plain)
    const cut = { ...one, response: one.response && { ...one.response, complete: false } }
    expect(cleanEnd(cut)).toMatchObject({ expected: 'a whole body', got: 'it broke off' })
  })
})

describe('what passes is', () => {
  test.for<readonly [string, (exchange: Exchange) => Judgement, Exchange, object]>([
    [
      'a stream with advice on caching',
      streamType,
      answer(plain, {
        headers: [
          ['content-type', 'text/event-stream'],
          ['cache-control', 'no-store'],
          ['cache-control', 'private'],
        ],
      }),
      { note: 'cache-control: no-store, private' },
    ],
    ['a stream without', streamType, streamAnswer(plain), { note: 'cache-control: none' }],
    ['utf8 as a charset', streamCharset, typed('text/event-stream; charset=utf8'), {}],
    ['identity as a coding', notEncoded, coded('Identity'), {}],
    ['a reply that was torn before', utf8, streamAnswer(frames(token('\uFFFD'), torn)), {}],
    ['a reply that is torn, and its tokens are not', utf8, streamAnswer(frames(token('a'), torn)), {}],
    [
      'line ends of several kinds',
      knownLines,
      streamAnswer(`: a\r\n: b\r${plain}: c`),
      { note: 'lines end with CR and CRLF and LF' },
    ],
    [
      'an event field that repeats the type',
      knownLines,
      streamAnswer(`event: done\n${frames(done)}`),
      { note: 'lines end with LF' },
    ],
    ['an event field beside no object', knownLines, streamAnswer(`event: x\ndata: 7\n\n${plain}`), {}],
    ['an object within a comment', dataPrefix, streamAnswer(`:{"type":1}\n\n${plain}`), {}],
    ['an object within the text of another field', dataPrefix, streamAnswer(`id: {"type":1}\n${plain}`), {}],
    ['two spaces before what is no JSON', dataPrefix, streamAnswer(`data:  a\n\n${plain}`), {}],
    ['a list without a type', dataType, streamAnswer(`data: []\n\n${plain}`), {}],
    ['all of a framing', wellFramed, streamAnswer(plain), {}],
  ])('%s', ([, judge, exchange, more]) => {
    expect(judge(exchange)).toMatchObject({ is: 'pass', ...more })
  })
})

describe('the events of a stream', () => {
  const joined = streamAnswer(`data: {"type":"token"}\ndata: 7\ndata: {"type":"done"}\n\n`)

  test('are those of lines that nothing separates', () => {
    expect(eventsOf(joined)).toEqual([{ type: 'token' }, { type: 'done' }])
    expect(eventsOf(joined, 'done')).toEqual([{ type: 'done' }])
  })

  test('end with `done`, or else with `error`', () => {
    expect(terminalOf(joined)).toEqual({ at: 1, offset: 31 })
    expect(terminalOf(streamAnswer('data: no\ndata: {"type":"done"}\n\n'))).toEqual({ at: 1, offset: 9 })
    expect(terminalOf(streamAnswer(frames(token('a'), { type: 'error' }, { type: 'error' })))).toEqual({
      at: 1,
      offset: 59,
    })
    expect(terminalOf(streamAnswer(`data: 7\ndata: []\n\n${frames(token('a'))}`))).toBeNull()
  })
})
