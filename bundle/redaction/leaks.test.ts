import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { binary } from '../text.ts'
import { mustHaveNoSecret, SecretLeft, writtenBelow } from './leaks.ts'

const secrets = [
  { name: 'key:main', value: 'sk-live-4f9a8b7c6d5e' },
  { name: 'key:odd', value: 'a"b\\c/%41+é <&>end' },
]

const scan = (file: string, text: string, of = secrets): void => mustHaveNoSecret([[file, binary(text)]], of)
const json = (text: string): string => JSON.stringify({ text })
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const escaped = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const markup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#x3E;').replaceAll('"', '&#34;')

/** How a file may hold a secret; each also as the body of an exchange would stand in a journal. */
const ways: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': json,
  'in JSON in JSON in JSON': (secret) => json(json(json(secret))),
  'all escaped': escaped,
  'in a URL': encodeURIComponent,
  'in a URL, twice, of JSON': (secret) => encodeURIComponent(encodeURIComponent(json(secret))),
  'in HTML': markup,
  'in HTML of JSON': (secret) => markup(json(secret)),
  'in HTML, every character by its number': (secret) =>
    Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join(''),
  'in base64': (secret) => base64(`me:${secret}`),
  'in base64 of JSON': (secret) => base64(json(secret)),
  'in base64 in base64': (secret) => base64(`Basic ${base64(secret)}`),
  'in base64 for URLs': (secret) => Buffer.from(`a${secret}`).toString('base64url'),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in hex of JSON': (secret) => Buffer.from(json(secret)).toString('hex').toUpperCase(),
}

const lines = (text: string): string => text.replaceAll(/.{20}/g, '$&\r\n')
/** Of a secret that is longer than a line of it. */
const loose: Readonly<Record<string, (secret: string) => string>> = {
  'in UTF-16': (secret) => json(Buffer.from(secret, 'utf16le').toString('latin1')),
  'in base64 of many lines': (secret) => json(lines(base64(`some user:${secret}, and more`))),
  'in hex, byte by byte': (secret) => Buffer.from(secret).toString('hex').replaceAll(/../g, '$& '),
  'in HTML by number, without an end': (secret) =>
    Array.from(secret, (character) => `&#${character.codePointAt(0)}`).join(''),
  'in gzip in base64': (secret) => gzipSync(`{"key":"${secret}"}`).toString('base64'),
  'in zlib in base64': (secret) => deflateSync(`{"key":"${secret}"}`).toString('base64'),
}

it.each(Object.entries(loose))('a secret %s is found', (_, write) => {
  const slipped = (): void => scan('one.har', write(secrets[0]?.value ?? ''))
  expect(slipped).toThrow(SecretLeft)
})

it('a secret is found wherever it is in a file that is looked through in parts', () => {
  const part = 4 << 20
  const filling = '"text", '.repeat(part / 4)
  for (const { value } of secrets)
    for (const at of [0, part - 9, part, part + 4, 2 * part - 14, filling.length]) {
      const text = filling.slice(0, at) + value + filling.slice(at)
      expect(() => scan('one.har', text)).toThrow(SecretLeft)
    }
})

const piece = 1 << 20
it.each([
  ['many short texts', '"text", '.repeat(piece / 4), [0, piece - 5, piece + 4, 2 * piece]],
  ['a text of several pieces', `"text", "${'.'.repeat(3 * piece)}"`, [piece - 5, 2 * piece]],
])('of a file with %s that is read in pieces, a secret is whole in one', (_, filling, places) => {
  const folder = temporaryFolder(onTestFinished)
  const value = secrets[0]?.value ?? ''
  for (const at of places) {
    writeFileSync(join(folder, 'one.har'), filling.slice(0, at) + value + filling.slice(at))
    const pieces = [...writtenBelow(folder)].map(([, content]) => content)
    expect(pieces.some((content) => content.includes(value))).toBe(true)
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(filling.length)
  }
})

describe.each(Object.entries(ways))('a secret %s', (_, write) => {
  it.each(secrets)('of $name is found in whatever file it is, and not reported', ({ value }) => {
    for (const text of [write(value), json(write(value)), `<p>${markup(json(write(value)))}</p>`]) {
      const slipped = (): void => scan('har/one.har', `{"n":1}\n${text}`)
      expect(slipped).toThrow(SecretLeft)
      expect(slipped).toThrow(/^har\/one\.har would contain the secret /)
      expect(slipped).not.toThrow(value)
    }
  })
})

it.each(secrets)('$name is found where the events of a stream say it letter by letter', ({ value }) => {
  const said = (content: string): string => `data: ${JSON.stringify({ delta: [{ content }] })}\n\n`
  const body = Array.from(value, said).join('')
  for (const text of [body, json(body), json(json(body))])
    expect(() => scan('exchanges.har', text)).toThrow(SecretLeft)
})

/** Long texts are decoded in parts of 64 KiB that end with a quote. */
it.each([
  ['as it is', (secret: string) => secret],
  ['in JSON', json],
])('a secret %s is found wherever a part of a long text ends', (_, write) => {
  const text = write(secrets[1]?.value ?? '')
  for (let before = (1 << 16) - text.length; before <= 1 << 16; before++) {
    const long = `${'.'.repeat(before)}${text}"}`
    expect(() => scan('exchanges.har', long)).toThrow(SecretLeft)
  }
})

it('a secret in the name of a file is found, and the name not reported', () => {
  const slipped = (): void => scan('sk-live-4f9a8b7c6d5e.sh', 'curl')
  expect(slipped).toThrow(/^the name of a file/)
  expect(slipped).not.toThrow('4f9a')
})

it('a secret that a response disclosed is none once it had stood in the journal, or what lies beside it', () => {
  const value = 'whsec_0123456789'
  const disclosed = [{ name: 'webhook-secret:1', value }]
  expect(() => scan('run.json', value, disclosed)).toThrow(SecretLeft)
  for (const file of ['journal.ndjson', `evidence/${'a'.repeat(64)}`]) {
    const files = [['run.json', value] as const, [file, value] as const]
    expect(() => mustHaveNoSecret(files, disclosed)).not.toThrow()
    expect(() => mustHaveNoSecret(files, [{ name: 'key:main', value }])).toThrow(SecretLeft)
  }
})

it.each(['[[key:main:4f9a8b7c]]', 'sk-live-4f9a8b7c6d5', base64('sk-live-4f9a8b'), '%', '\\', '&#9999999;'])(
  'what only resembles a secret stops nothing: %s',
  (text) => {
    expect(() => scan('run.json', json(text))).not.toThrow()
  },
)
