import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { InvalidCall } from './errors.ts'
import { verifyWebhook } from './webhook-signature.ts'

type Body =
  | { base64: string; text?: string }
  | { before: string; repeat: string; times: number; after: string }
interface Vector {
  name: string
  accept: boolean
  secret: string
  body: Body
  headers: readonly string[]
}

const file = new URL('../spec/vectors/signature.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }

function bytesOf(body: Body): Uint8Array {
  if ('base64' in body) return new Uint8Array(Buffer.from(body.base64, 'base64'))
  return new Uint8Array(Buffer.from(body.before + body.repeat.repeat(body.times) + body.after))
}

/** Several lines of one header come to a program as one value. */
const headerOf = ({ headers }: Vector): string | undefined =>
  headers.length > 0 ? headers.join(', ') : undefined

describe.for(vectors)('the vector $name', (vector) => {
  const { body, secret, accept } = vector
  const bytes = bytesOf(body)

  test(`is ${accept ? 'accepted' : 'refused'} as bytes`, async () => {
    expect(await verifyWebhook(bytes, headerOf(vector), secret)).toBe(accept)
    expect(await verifyWebhook(new Uint8Array(bytes).buffer, headerOf(vector), secret)).toBe(accept)
  })
})

const readable = vectors.flatMap(({ body, ...vector }) =>
  'text' in body && body.text !== undefined ? [{ ...vector, body, text: body.text }] : [],
)

test.for(readable)('the vector $name counts as text as it does as bytes', async (vector) => {
  expect(await verifyWebhook(vector.text, headerOf(vector), vector.secret)).toBe(vector.accept)
})

const plain = vectors.find(({ name }) => name === 'plain')
if (!plain) throw new Error('There is no vector called plain.')

test('a part of a larger buffer is only that part', async () => {
  const bytes = bytesOf(plain.body)
  const larger = new Uint8Array(bytes.length + 2)
  larger.set(bytes, 1)
  expect(await verifyWebhook(larger.subarray(1, -1), plain.headers[0], plain.secret)).toBe(true)
})

test.for([null, undefined, '', 'sha256', ['sha256=a'], 7])(
  'the header %o is refused and throws nothing',
  async (header) => {
    expect(await verifyWebhook(bytesOf(plain.body), header as string, plain.secret)).toBe(false)
  },
)

test.for([
  ['an empty secret', bytesOf(plain.body), ''],
  ['a body that was parsed already', { eventType: 'leads.submit' }, plain.secret],
] as const)('%s is a mistake on this side, and is said to be', async ([, body, secret]) => {
  await expect(verifyWebhook(body as Uint8Array, plain.headers[0], secret)).rejects.toThrow(InvalidCall)
})
