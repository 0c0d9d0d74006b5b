/** The suites' readers of what a target sent: streams, JSON, headers, and journals that were written before. */
import * as body from '../../../suites/wire/exchange.ts'
import { type Exchange, at, parseJson } from '../../../suites/wire/exchange.ts'
import { readJournal, writeJournal } from '../../../bundle/journal/codec.ts'
import { createRedactor } from '../../../bundle/redaction/redaction.ts'
import { readStream } from '../../../suites/wire/sse.ts'
import { changeBytes } from '../change-bytes.ts'
import { mostlyJson } from '../change-json.ts'
import type { Corpus } from '../corpus.ts'
import { bytesOf, Defect, refusing, type Surface, type Surfaces } from '../surface.ts'

const streamTokens = [
  'data: ', 'data:', 'data', 'event: ', 'id: ', 'retry: 1\n', ': comment\n', '\n\n', '\r\r', '\r\n\r\n', '\r\n\n',
  'data: [DONE]\n\n', 'data: {}\n\n', 'data: {"type":"done"}\n\n', 'data: {"type":"token","content":"', '\ufeff',
] // prettier-ignore

const answers = ({ exchanges }: Corpus, wanted: (type: string) => boolean): Uint8Array[] => {
  const found = exchanges.filter((one) => wanted(body.contentType(one)?.essence ?? ''))
  const texts = new Set(found.map((one) => body.text(one).text))
  return [...texts].slice(0, 300).map(bytesOf)
}

/** The same bytes in reads that end anywhere. */
function split(input: Uint8Array): { at: number; bytes: Uint8Array }[] {
  const step = 1 + (input.length % 7)
  const chunks = []
  for (let from = 0; from < input.length; from += step)
    chunks.push({ at: chunks.length, bytes: input.subarray(from, from + step) })
  return chunks
}

const ends = { LF: '\n', CR: '\r', CRLF: '\r\n', none: '' } as const

const stream: Surface = {
  parts: 14,
  seeds: (corpus) => answers(corpus, (type) => type === 'text/event-stream'),
  change: (seed, draw, others) => changeBytes(seed, draw, others, streamTokens),
  open: () => ({
    feed(input) {
      const whole = readStream(input, [{ at: 0, bytes: input }])
      const parts = readStream(input, split(input))
      const texts = (reading: typeof whole): string =>
        JSON.stringify(reading.events.map(({ data, type }) => [type, data]))
      if (texts(whole) !== texts(parts)) throw new Defect('where reads end changes the events')
      const again = whole.lines.map(({ offset, size, eol }) =>
        Buffer.concat([input.subarray(offset, offset + size), Buffer.from(ends[eol])]),
      )
      const mark = whole.bom ? [Buffer.from('\ufeff')] : []
      if (!Buffer.concat([...mark, ...again]).equals(input))
        throw new Defect('lines and their ends are not the body')
    },
  }),
  growing: {
    'empty lines': (bytes) => bytesOf('\n'.repeat(bytes)),
    'carriage returns': (bytes) => bytesOf('\r'.repeat(bytes)),
    'data lines of one event': (bytes) => bytesOf('data: 1\n'.repeat(bytes / 8)),
    'one line': (bytes) => bytesOf(`data: ${'x'.repeat(bytes)}`),
    events: (bytes) => bytesOf('data: {}\n\n'.repeat(bytes / 10)),
    'broken text': (bytes) => new Uint8Array(bytes).fill(0xff),
  },
}

const blank = { id: 1, scenario: 's', name: 'n', sentAt: 0, endedAt: 1, failure: null } as const
const request = { method: 'POST', path: '/', headers: [], body: new Uint8Array(), principal: null }

/** The input as body, and its first line as every header. */
function answerOf(input: Uint8Array): Exchange {
  const [line = ''] = Buffer.from(input)
    .toString('latin1')
    .split(/[\r\n]/, 1)
  const headers = ['content-type', 'retry-after', 'x-ratelimit-reset'].map((name) => [name, line] as const)
  const chunks = [{ at: 1, bytes: input }]
  return { ...blank, request, response: { status: 200, headers, at: 1, chunks, complete: true } }
}

const types = [
  'text/event-stream; charset=utf-8',
  'application/json;charset="utf\\-8"',
  'application/json; a=b; c = "d;e"',
]

/** A redactor keeps what it learns for as long as its run goes on. */
const redactorOfRun = () => createRedactor([{ name: 'key:main', value: 'sk-fuzz-secret' }])
const answersOfRun = 500

const json: Surface = {
  parts: 14,
  seeds: (corpus) => [...answers(corpus, (type) => type === 'application/json'), ...types.map(bytesOf)],
  change: mostlyJson(50),
  open() {
    let [redact, fed] = [redactorOfRun(), 0]
    return {
      feed(input) {
        if (++fed % answersOfRun === 0) redact = redactorOfRun()
        const exchange = answerOf(input)
        const read = body.json(exchange)
        body.contentType(exchange)
        for (const pointer of ['', '/error', '/a/0/~1', '/__proto__', '/-', '/00'])
          body.member(exchange, pointer)
        if (read.ok && at(read.value, '/__proto__/toString') !== undefined)
          throw new Defect('a pointer left the document')
        if (read.ok !== (body.text(exchange).valid && parseJson(body.text(exchange).text).ok))
          throw new Defect('two interpretations of the same JSON')
        redact.exchange(exchange)
      },
    }
  },
  growing: {
    'open brackets': (bytes) => bytesOf('['.repeat(bytes)),
    brackets: (bytes) => bytesOf('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
    parameters: (bytes) => bytesOf(`a/b${';a=b'.repeat(bytes / 4)}`),
    semicolons: (bytes) => bytesOf(';'.repeat(bytes)),
    'open quotes': (bytes) => bytesOf(`a/b${';a="'.repeat(bytes / 4)}`),
    spaces: (bytes) => bytesOf(`a/b;${' '.repeat(bytes)}`),
    backslashes: (bytes) => bytesOf(`a/b;a="${'\\'.repeat(bytes)}`),
    'percent signs': (bytes) => bytesOf('%'.repeat(bytes)),
    'the beginning of a secret': (bytes) => bytesOf('sk-fuzz-secre'.repeat(bytes / 13)),
  },
}

const journal: Surface = {
  parts: 12,
  seeds: ({ lines }) =>
    lines
      .filter(({ length }) => length < 3_000)
      .filter((_, i) => i % 5 === 0)
      .map(bytesOf),
  change: mostlyJson(70),
  open: () => ({
    feed(input) {
      const text = Buffer.from(input).toString()
      const read = refusing(['Error'], () => readJournal(text))
      if (!read) return
      const once = writeJournal(read)
      if (writeJournal(readJournal(once)) !== once)
        throw new Defect('written and read again it is another journal')
    },
  }),
  growing: { 'lines that are none': (bytes) => bytesOf('\n'.repeat(bytes)) },
}

export const readers = { stream, json, journal } satisfies Surfaces
