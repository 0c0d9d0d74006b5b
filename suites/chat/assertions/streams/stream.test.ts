import { describe, expect, it } from 'vitest'
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
import * as lines from './stream-lines.ts'
import * as whole from './stream.ts'

const plain = frames(token('Hello '), token('there'), done)
const is = (judgement: Judgement) => judgement.is

const all: Readonly<Record<string, (exchange: Exchange) => Judgement>> = {
  streamType: whole.streamType,
  streamCharset: whole.streamCharset,
  notEncoded: whole.notEncoded,
  cleanEnd: whole.cleanEnd,
  closesSoon: whole.closesSoon,
  utf8: lines.utf8,
  knownLines: lines.knownLines,
  dataPrefix: lines.dataPrefix,
  dataJson: lines.dataJson,
  dataType: lines.dataType,
  separated: lines.separated,
  finalBlank: lines.finalBlank,
  wellFramed: lines.wellFramed,
}

/** Names of the judgements that do not pass, with their messages. */
function complaints(exchange: Exchange): Record<string, string> {
  const said = Object.entries(all).map(([name, judged]) => [name, judged(exchange).is])
  return Object.fromEntries(said.filter(([, verdict]) => verdict !== 'pass'))
}

describe('a conforming stream passes every judgement', () => {
  it.each([
    ['line feeds', plain],
    ['carriage returns and line feeds', plain.replaceAll('\n', '\r\n')],
    ['carriage returns', plain.replaceAll('\n', '\r')],
    ['comments', `: hello\n\n${plain.replaceAll('data', ': ping\ndata')}: bye\n`],
    ['event, id and retry lines', `retry: 10\n\nevent: done\nid: 7\n${frames(done)}`],
    ['no tokens', frames(done)],
    ['types nobody knows', frames({ type: 'thinking' }, done)],
    ['line separators within a text', frames(token('a\u2028b\u0085c'), done)],
    ['an error', frames({ type: 'error', error: 'no' })],
  ])('%s', (_, body) => {
    expect(complaints(streamAnswer(body))).toEqual({})
  })

  it('with parameters and any casing of its content type', () => {
    const exchange = answer(plain, { headers: [['Content-Type', 'Text/Event-Stream; charset="UTF-8"']] })
    expect(complaints(exchange)).toEqual({})
  })
})

describe('one defect is blamed on what it breaks', () => {
  const framing = 'wellFramed'
  it.each<[string, Exchange, Record<string, string>]>([
    [
      'no space',
      streamAnswer(plain.replaceAll('data: ', 'data:')),
      { dataPrefix: 'fail', [framing]: 'fail' },
    ],
    [
      'two spaces',
      streamAnswer(plain.replaceAll('data: ', 'data:  ')),
      { dataPrefix: 'warn', [framing]: 'warn' },
    ],
    [
      'a final marker that is no JSON',
      streamAnswer(`${plain}data: [DONE]\n\n`),
      { dataJson: 'fail', [framing]: 'fail' },
    ],
    [
      'an object over two lines',
      streamAnswer(`data: {"type":\ndata: "token","token":"a"}\n\n${plain}`),
      { dataJson: 'fail', separated: 'fail', [framing]: 'fail' },
    ],
    [
      'a `done` over many lines',
      streamAnswer(
        frames(token('a')) + `data: ${JSON.stringify(done, null, '\t').replaceAll('\n', '\ndata: ')}\n\n`,
      ),
      { dataJson: 'fail', separated: 'fail', [framing]: 'fail' },
    ],
    [
      'a type that is no text',
      streamAnswer(frames({ type: 7 }) + plain),
      { dataType: 'fail', [framing]: 'fail' },
    ],
    [
      'no empty line between two events',
      streamAnswer(plain.replace('\n\n', '\n')),
      { separated: 'fail', [framing]: 'fail' },
    ],
    ['another field', streamAnswer(`colour: green\n${plain}`), { knownLines: 'fail' }],
    // A proxy may add heartbeats with other line ends; the standard accepts each kind.
    ['line ends of two kinds', streamAnswer(plain.replace('\n\n', '\r\n\r\n')), {}],
    ['a byte order mark', streamAnswer(`\uFEFF${plain}`), { knownLines: 'warn' }],
    [
      'bytes that are not UTF-8',
      streamAnswer(Buffer.concat([Buffer.from(': '), Buffer.from([0xff]), Buffer.from(`\n\n${plain}`)])),
      { utf8: 'fail', [framing]: 'fail' },
    ],
    [
      'a character torn in two',
      streamAnswer(frames(token('\uFFFD'), done)),
      { utf8: 'warn', [framing]: 'warn' },
    ],
    [
      'another charset',
      answer(plain, { headers: [['content-type', 'text/event-stream; charset=latin1']] }),
      { streamCharset: 'fail' },
    ],
    [
      'a coding nobody asked for',
      answer(plain, {
        headers: [
          ['content-type', 'text/event-stream'],
          ['content-encoding', 'gzip'],
        ],
      }),
      { notEncoded: 'fail' },
    ],
    [
      'a body that stays open',
      streamAnswer(plain, { failure: 'timeout', lingers: 9000 }),
      { cleanEnd: 'inconclusive', closesSoon: 'fail' },
    ],
    [
      'a connection that breaks after the end',
      streamAnswer(plain, { failure: 'reset' }),
      { cleanEnd: 'fail' },
    ],
  ])('%s', (_, exchange, expected) => {
    expect(complaints(exchange)).toEqual(expected)
  })

  it('is a `done` without the empty line after it', () => {
    expect(is(lines.finalBlank(streamAnswer(plain.slice(0, -1))))).toBe('fail')
  })

  it('is an object on a line of its own', () => {
    expect(is(lines.dataPrefix(streamAnswer(`${JSON.stringify(token('a'))}\n\n${plain}`)))).toBe('fail')
  })
})

describe('nothing passes', () => {
  it.each<[string, Exchange]>([
    ['404', jsonAnswer({ error: 'no' }, { status: 404 })],
    ['200 and nothing', answer('')],
    ['200 {}', jsonAnswer({})],
    ['an empty stream', streamAnswer('')],
    ['a stream without an end', streamAnswer(frames(token('Hello')))],
    ['a stream that breaks off', streamAnswer(frames(token('Hello')), { failure: 'reset' })],
    ['429', jsonAnswer({ error: 'slow down' }, { status: 429 })],
  ])('%s', (_, exchange) => {
    expect(Object.values(complaints(exchange))).toHaveLength(Object.keys(all).length)
  })
})

describe('the end of a stream', () => {
  const came = (firstAt: number, sentAt: number, endedAt: number): Exchange => {
    const one = streamAnswer(plain)
    const response = one.response && {
      ...one.response,
      chunks: one.response.chunks.map((chunk) => ({ ...chunk, at: firstAt })),
    }
    return { ...one, sentAt, endedAt, response }
  }
  it.each([
    ['too short to show whether events arrived as they happened', came(105, 100, 1_099)],
    ['the first event came early', came(599, 100, 1_100)],
    ['the first event came late', came(600, 100, 1_100)],
  ])('%s', (note, exchange) => {
    expect(whole.closesSoon(exchange)).toEqual({ is: 'pass', note })
  })

  it.each([
    [5_001, 'pass'],
    [5_002, 'fail'],
  ])('after %i ms: %s', (endedAt, expected) => {
    expect(whole.closesSoon({ ...streamAnswer(plain), endedAt }).is).toBe(expected)
  })

  it('by us, where we went away', () => {
    expect(whole.closesSoon(streamAnswer(plain, { failure: 'aborted', lingers: 9 }))).toEqual({
      is: 'inconclusive',
      because: 'open for 9 ms when we went away',
    })
  })

  it('whether it had a length', () => {
    const type = ['content-type', 'text/event-stream'] as const
    expect(whole.cleanEnd(streamAnswer(plain))).toEqual({ is: 'pass', note: 'sent as it came about' })
    expect(whole.cleanEnd(answer(plain, { headers: [type, ['content-length', '9']] }))).toEqual({
      is: 'pass',
      note: 'sent with a length',
    })
  })
})
