/** Two codes sign and one judges, and none of them vouches for another: a file that openssl made does. */
import { signature } from '../../simulator/webhooks/delivery/envelope.ts'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { answer } from '../../suites/assertions/exchange.testkit.ts'
import { compared } from '../../suites/wire/signature-facts.ts'
import { signedWith } from '../../suites/webhooks/assertions/signature.ts'
import { signatureOf } from '../../suites/receivers/subject.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'

type Body =
  | { base64: string; text?: string }
  | { before: string; repeat: string; times: number; after: string }
interface Vector {
  name: string
  accept: boolean
  because: string
  secret: string
  body: Body
  digest: string
  headers: readonly string[]
}

const path = fileURLToPath(new URL('../../spec/vectors/signature.json', import.meta.url))
const { header, vectors } = JSON.parse(readFileSync(path, 'utf8')) as { header: string; vectors: Vector[] }

function bytesOf(body: Body): Uint8Array {
  if ('base64' in body) return new Uint8Array(Buffer.from(body.base64, 'base64'))
  return new Uint8Array(Buffer.from(body.before + body.repeat.repeat(body.times) + body.after))
}

/** As it would have come in. */
function arrival({ body, headers }: Vector): Exchange {
  const plain = answer('')
  const sent = headers.map((value) => [header, value] as const)
  return { ...plain, request: { ...plain.request, headers: sent, body: bytesOf(body) } }
}

describe.for(vectors)('$name', (vector) => {
  const { body, secret, digest, accept } = vector

  test('is signed alike by the simulator, by the suites and by openssl', () => {
    expect(signature(bytesOf(body), secret)).toBe(`sha256=${digest}`)
    expect(signatureOf(bytesOf(body), secret)).toBe(`sha256=${digest}`)
  })

  test(`is ${accept ? 'accepted' : 'refused'} by the judge of signatures`, () => {
    const one = compared(arrival(vector), vector.headers[0] ?? '', secret)
    expect(signedWith(one, secret).is === 'pass').toBe(accept)
  })

  test('has the text that its bytes are', () => {
    const read = Buffer.from(bytesOf(body)).toString()
    expect('text' in body ? body.text : read).toBe(read)
    expect(bytesOf(body).length).toBeLessThanOrEqual(2 ** 20)
  })
})

test('one of them is what somebody else published', () => {
  const published = vectors.find(({ secret }) => secret === "It's a Secret to Everybody")
  expect(published && Buffer.from(bytesOf(published.body)).toString()).toBe('Hello, World!')
  expect(published?.digest).toBe('757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17')
})

test('every name stands once, and both kinds are there', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  expect(vectors.filter(({ accept }) => accept).length).toBeGreaterThanOrEqual(20)
  expect(vectors.filter(({ accept }) => !accept).length).toBeGreaterThanOrEqual(20)
})

const openssl = spawnSync('openssl', ['version']).status === 0

test('the file is what openssl and the table make', ({ skip }) => {
  skip(!openssl, 'there is no openssl here')
  const script = fileURLToPath(new URL('../vectors/main.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
