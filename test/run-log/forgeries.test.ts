/** What a forger, a careless owner of the key and a full disk can do to a log of runs, and what of it is noticed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { envelopeOf } from '../../reports/bundle/seal/envelope.ts'
import { headsOf, readHeads, type RunLogHead } from '../../reports/run-log/head.ts'
import { readRunLog } from '../../reports/run-log/read.ts'
import {
  altered,
  contents,
  digit,
  end,
  linesOf,
  release,
  spelled,
  start,
  stranger,
  type Content,
} from '../../reports/run-log/log.testkit.ts'

const root = mkdtempSync(join(tmpdir(), 'touchstone-run-log-'))
const at = (name: string): string => join(root, name)
afterAll(() => rmSync(root, { recursive: true }))

const whole = linesOf(contents)
const fileOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const headOf = (lines: readonly string[]): readonly RunLogHead[] =>
  headsOf([readRunLog(Buffer.from(fileOf(lines)), null)])

beforeAll(() => {
  for (const [name, { publicKey }] of Object.entries({ release, stranger }))
    writeFileSync(at(`${name}.pem`), publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(at('head.json'), JSON.stringify({ schemaVersion: 1, heads: headOf(whole) }))
})

let files = 0
function verified(text: string, ...more: readonly string[]) {
  const log = at(`${files++}.ndjson`)
  writeFileSync(log, text)
  return run(['log', 'verify', log, '--key', at('release.pem'), ...more])
}

test('a log as runs write it is verified, and may grow after its head was published', async () => {
  const grown = linesOf([...contents, ['run-5', start()]])
  const [one, two] = [await verified(fileOf(whole)), await verified(fileOf(grown), '--head', at('head.json'))]

  expect(one).toEqual({
    code: 0,
    out: expect.stringMatching(/^VERIFIED: 7 entries.*not known \(give --head\)\n$/),
    err: '',
  })
  expect(two).toEqual({
    code: 0,
    out: expect.stringMatching(/^VERIFIED: 8 entries.*none is missing up to/),
    err: '',
  })
})

/** The same lines with one change. */
const without = (index: number): readonly string[] => whole.toSpliced(index, 1)
const withLine = (index: number, line: string): readonly string[] => whole.with(index, line)
const line = (index: number): string => whole[index] ?? ''
const swapped = (one: number, other: number): readonly string[] =>
  whole.with(one, line(other)).with(other, line(one))
const other = linesOf([['run-8', start()], ['run-8', end('conformant')], ...contents.slice(2)])
const signedAs = (type: string): string =>
  JSON.stringify(
    envelopeOf(type, Buffer.from(JSON.parse(line(4)).payload as string, 'base64'), release.signer),
  )
const result = (entry: Record<string, unknown>): Record<string, unknown> =>
  entry['result'] as Record<string, unknown>

describe('without the key, nothing between first and last entry can be changed unnoticed:', () => {
  test.for<[string, string | readonly string[], string]>([
    ['the first entry dropped', without(0), 'line 1 has number 2, and 1 is next'],
    ['a failed run dropped', whole.toSpliced(0, 2), 'line 1 has number 3'],
    ['the end of a failed run dropped', without(4), 'line 5 has number 6, and 5 is next'],
    ['the start of a run that was cut off dropped', without(2), 'line 3 has number 4, and 3 is next'],
    ['a run in the middle dropped', whole.toSpliced(3, 2), 'does not follow the line before it'],
    ['two entries swapped', swapped(1, 4), 'line 2 has number 5'],
    ['start and end of a run swapped', swapped(5, 6), 'ends run run-4, which no line before it starts'],
    ['all entries in reverse', whole.toReversed(), 'line 1 has number 7'],
    ['an entry twice', whole.toSpliced(4, 0, line(4)), 'ends run run-3 again'],
    ['the last entry twice', [...whole, line(6)], 'line 8 has number 7, and 8 is next'],
    ['the whole log twice', [...whole, ...whole], 'starts run run-1 again'],
    [
      'a verdict altered',
      withLine(
        4,
        altered(line(4), (entry) => (result(entry)['conformance'] = 'conformant')),
      ),
      'line 5 has a wrong signature',
    ],
    [
      'the last verdict altered',
      withLine(
        6,
        altered(line(6), (entry) => (result(entry)['manifest'] = digit('e'))),
      ),
      'line 7 has a wrong signature',
    ],
    [
      'a version altered',
      withLine(
        0,
        altered(line(0), (entry) => (entry['target'] = start('4.2.0').target)),
      ),
      'line 1 has a wrong signature',
    ],
    [
      'a time altered',
      withLine(
        3,
        altered(line(3), (entry) => (entry['at'] = '2026-11-24T09:02:30.000Z')),
      ),
      'line 4 has a wrong signature',
    ],
    [
      'a failure turned into no result',
      withLine(
        4,
        altered(line(4), (entry) => (entry['result'] = null)),
      ),
      'line 5 has a wrong signature',
    ],
    [
      'an entry without its number',
      withLine(
        3,
        altered(line(3), (entry) => delete entry['number']),
      ),
      'line 4 is no entry of a log of runs: /number is missing',
    ],
    [
      'an entry numbered anew',
      without(2).with(
        2,
        altered(line(3), (entry) => (entry['number'] = 3)),
      ),
      'line 3 has a wrong signature',
    ],
    ['re-signed by another key', linesOf(contents, stranger), 'line 1 is not signed by a given key'],
    [
      'one entry re-signed by another key',
      withLine(6, linesOf(contents, stranger)[6] ?? ''),
      'line 7 is not signed by a given key',
    ],
    [
      'another key under the id of the right one',
      withLine(
        6,
        spelled(
          linesOf(contents, stranger)[6] ?? '',
          ({ signatures }) =>
            (signatures[0] = { keyid: release.signer.keyid, sig: signatures[0]?.sig ?? '' }),
        ),
      ),
      'line 7 has a wrong signature',
    ],
    [
      'a signature of another entry',
      withLine(
        6,
        spelled(line(6), (written) => (written.signatures = JSON.parse(line(5)).signatures)),
      ),
      'line 7 has a wrong signature',
    ],
    [
      'no signature',
      withLine(
        6,
        spelled(line(6), (written) => (written.signatures = [])),
      ),
      'line 7 is no signed entry',
    ],
    [
      'a second signature',
      withLine(
        6,
        spelled(
          line(6),
          ({ signatures }) =>
            void signatures.push({ keyid: stranger.signer.keyid, sig: signatures[0]?.sig ?? '' }),
        ),
      ),
      'line 7 is no signed entry',
    ],
    [
      'the id of the key altered',
      withLine(
        6,
        spelled(line(6), ({ signatures }) => Object.assign(signatures[0] ?? {}, { keyid: digit('0') })),
      ),
      'line 7 is not signed by a given key',
    ],
    [
      'a member added around the last entry',
      withLine(
        6,
        spelled(line(6), (written) => Object.assign(written, { note: 'ok' })),
      ),
      'line 7 is no signed entry',
    ],
    [
      'the last entry in other base64',
      withLine(6, line(6).replaceAll('+', '-').replaceAll('/', '_').replace('=="', '"')),
      'line 7 is no signed entry',
    ],
    ['space in the last entry', withLine(6, line(6).replace(',', ', ')), 'line 7 is no signed entry'],
    ['line feeds of another system', withLine(6, `${line(6)}\r`), 'line 7 is no signed entry'],
    ['an empty line', whole.toSpliced(3, 0, ''), 'line 4 is no signed entry'],
    ['a text inserted', whole.toSpliced(3, 0, '{"number":4}'), 'line 4 is no signed entry'],
    [
      'entries of two logs',
      [...whole.slice(0, 2), ...other.slice(2)],
      'line 3 does not follow the line before it',
    ],
    ['a log after another', [...whole, ...other], 'line 8 has number 1, and 8 is next'],
    ['the end of a run moved to another', [...whole.slice(0, 6), other[1] ?? ''], 'line 7 has number 2'],
    ['a cut-off line', fileOf(whole).slice(0, -40), 'line 7 is cut off'],
    ['a missing line feed', fileOf(whole).slice(0, -1), 'line 7 is cut off'],
    ['nothing', '', 'it is empty'],
    ['something else', 'hello\n', 'line 1 is no signed entry'],
  ])('%s', async ([, forged, words]) => {
    const { code, out, err } = await verified(typeof forged === 'string' ? forged : fileOf(forged))

    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toContain(words)
    expect(out).toMatch(/\nNOT VERIFIED: \d+ problems?\n$/)
  })
})

const late = '2026-11-24T09:30:00.000Z'

describe('with the key, a log that no run writes is refused, too:', () => {
  test.for<[string, readonly Content[] | string[], string]>([
    [
      'a time that goes backwards',
      contents.with(2, ['run-2', start(), late]),
      'is of 2026-11-24T09:03:00.000Z, before the line before it',
    ],
    ['an end without a start', contents.toSpliced(3, 1), 'ends run run-3, which no line before it starts'],
    ['two ends of one run', [...contents, ['run-3', end('conformant')]], 'line 8 ends run run-3 again'],
    ['two starts of one run', [...contents, ['run-2', start()]], 'line 8 starts run run-2 again'],
    [
      'a target without a name',
      contents.with(0, ['run-1', start('4.2.1', '')]),
      'line 1 is no entry of a log of runs: /target/name',
    ],
    [
      'an entry of another kind',
      [signedAs('application/vnd.in-toto+json')],
      'line 1 is signed as something else',
    ],
    [
      'a duplicate member',
      [
        JSON.stringify(
          envelopeOf('urn:touchstone:run-log-entry:v1', Buffer.from('{"run":"a","run":"b"}'), release.signer),
        ),
      ],
      'line 1 has a payload that is no plain JSON',
    ],
  ])('%s', async ([, forged, words]) => {
    const lines = typeof forged[0] === 'string' ? (forged as string[]) : linesOf(forged as Content[])
    const { code, out } = await verified(fileOf(lines))

    expect(code).toBe(1)
    expect(out).toContain(words)
  })
})

describe('an end that was cut off', () => {
  const rewritten = linesOf([
    ...contents.slice(0, 3),
    ['run-4', start()],
    ['run-4', end('conformant', digit('4'))],
    ['run-5', start()],
    ['run-5', end('conformant')],
  ])
  const begunAnew = linesOf(contents.slice(5))

  test.for<[string, readonly string[], string]>([
    ['by one entry', whole.slice(0, 6), 'its end was cut off: it has 6 of 7 entries'],
    ['to its first entry', whole.slice(0, 1), 'its end was cut off: it has 1 of 7 entries'],
    ['and written anew by the owner of the key', rewritten, 'line 7 is not the one whose head was published'],
    ['with the rest, and begun anew', begunAnew, 'is missing, or its first entry was replaced'],
  ])('%s is seen with --head alone', async ([, lines, words]) => {
    const [plain, against] = [
      await verified(fileOf(lines)),
      await verified(fileOf(lines), '--head', at('head.json')),
    ]

    expect(plain).toMatchObject({
      code: 0,
      out: expect.stringContaining('whether entries are missing at the end is not known'),
    })
    expect(against).toMatchObject({ code: 1, out: expect.stringContaining(words) })
  })
})

describe('a folder has a log for each signer', () => {
  const folderOf = (logs: Readonly<Record<string, readonly string[]>>): string => {
    const folder = at(`folder-${files++}`)
    mkdirSync(folder)
    for (const [name, lines] of Object.entries(logs)) writeFileSync(join(folder, name), fileOf(lines))
    return folder
  }
  const strange = linesOf(contents.slice(0, 1), stranger)
  const keys = ['--key', at('release.pem'), '--key', at('stranger.pem')]

  test.for<[string, Readonly<Record<string, readonly string[]>>, readonly string[], number, string]>([
    ['two signers', { 'a.ndjson': whole, 'b.ndjson': strange }, keys, 0, 'VERIFIED: 8 entries'],
    [
      'one without its key',
      { 'a.ndjson': whole, 'b.ndjson': strange },
      keys.slice(2),
      1,
      'a.ndjson: line 1 is not signed by a given key',
    ],
    [
      'two signers in one log',
      { 'a.ndjson': withLine(6, linesOf(contents, stranger)[6] ?? '') },
      keys,
      1,
      'is signed by another key',
    ],
    ['a log twice', { 'a.ndjson': whole, 'b.ndjson': whole.slice(0, 2) }, keys, 1, 'begins as'],
    [
      'a log less than was published',
      { 'b.ndjson': strange },
      [...keys, '--head', at('head.json')],
      1,
      'is missing',
    ],
  ])('%s', async ([, logs, more, code, words]) => {
    expect(await run(['log', 'verify', folderOf(logs), ...more])).toMatchObject({
      code,
      out: expect.stringContaining(words),
    })
  })
})

test('without a key only the chain is verified, and the last line says so', async () => {
  writeFileSync(at('strange.ndjson'), fileOf(linesOf(contents, stranger)))

  expect(await run(['log', 'verify', at('strange.ndjson')])).toMatchObject({
    code: 0,
    out: expect.stringContaining('signatures not checked (give --key)'),
  })
})

test('what `head` prints is what `--head` reads, and nothing is printed of a forged log', async () => {
  writeFileSync(at('good.ndjson'), fileOf(whole))
  writeFileSync(at('bad.ndjson'), fileOf(without(3)))
  const { out } = await run(['log', 'head', at('good.ndjson')])

  expect(readHeads(Buffer.from(out))).toEqual(headOf(whole))
  expect(await run(['log', 'head', at('bad.ndjson')])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('line 4'),
  })
})

test('a head is loaded from a web server, and without it nothing is decided', async () => {
  const head = readFileSync(at('head.json'))
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/head.json' ? 200 : 404).end(head),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [published, cut, none] = [
    await verified(fileOf(whole), '--head', `${base}/head.json`),
    await verified(fileOf(whole.slice(0, 6)), '--head', `${base}/head.json`),
    await verified(fileOf(whole), '--head', `${base}/other.json`),
  ]
  server.close()

  expect(published).toMatchObject({
    code: 0,
    out: expect.stringContaining(`up to the head in ${base}/head.json`),
  })
  expect(cut).toMatchObject({ code: 1, out: expect.stringContaining('its end was cut off') })
  expect(none).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringContaining('cannot be loaded (status 404)'),
  })
})
