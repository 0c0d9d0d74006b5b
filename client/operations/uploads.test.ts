import { afterEach, describe, expect, test } from 'vitest'
import { InvalidCall } from '../errors.ts'
import { openService, type Scripted, type ServiceDouble } from '../service.testkit.ts'
import type { ServiceClient } from '../service-client.ts'
import type { UploadStep } from '../options/dialect.ts'
import type { Upload } from './uploads.ts'

let service: ServiceDouble
afterEach(() => service.close())

const prepared: Scripted = { body: { status: 'completed', data: { uploadId: 'up_1' } } }
const accepted: Scripted = { status: 202, body: { status: 'accepted', task_id: 't1' } }
const held: Scripted = { status: 202, body: { status: 'pending_approval', approval_id: 'a1' } }

const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
const file: Upload = {
  fileName: 'faq.txt',
  contentType: 'text/plain',
  bytes,
  prepareKey: 'faq-prepare',
  finalizeKey: 'faq-finalize',
}

const kinds = [
  ['uploadFileSource', 'documents'],
  ['uploadStructuredDataFile', 'spreadsheets'],
] as const satisfies readonly (readonly [keyof ServiceClient, string])[]

describe.for(kinds)('%s', ([method, files]) => {
  const paths = [`/api/v1/uploads/${files}/prepare`, `/api/v1/uploads/${files}/finalize`]

  test('LIB-UPLOAD-KEYS: sends two requests, each with its own key', async () => {
    service = await openService(prepared, held)
    await service.client()[method](file)
    expect(service.met.map(({ path }) => path)).toEqual(paths)
    expect(service.met.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'faq-prepare',
      'faq-finalize',
    ])
    expect(service.met[0]?.body).toEqual({
      fileName: 'faq.txt',
      contentType: 'text/plain',
      size: bytes.length,
    })
    expect(service.met[1]?.body).toEqual({ uploadId: 'up_1', bytes: Buffer.from(bytes).toString('base64') })
  })

  test('sends nothing further when the first step did not come to its end', async () => {
    const error = { code: 'UPLOAD_RENEWAL_INCOMPLETE', resolution: 'Read the approval.' }
    service = await openService(
      { status: 422, body: { status: 'failed', error, approval_id: 'a1' } },
      accepted,
    )
    expect(await service.client()[method](file)).toMatchObject({ status: 'failed', error, approvalId: 'a1' })
    expect(service.met).toHaveLength(1)
  })
})

const small = { ...file, bytes: Uint8Array.of(1) }

test('has the requests that the dialect says, the other kind as before', async () => {
  service = await openService({ status: 201, body: { upload: { key: 9 } } }, accepted, prepared, accepted)
  const document = {
    prepare: { path: '/p', method: 'PUT', fileName: '/file/name', keyHeader: 'X-First', id: '/upload/key' },
    finalize: { path: '/p/{uploadId}/{fileName}', members: { final: true }, key: '/key', bytes: '/content' },
  } as const
  const client = service.client({ dialect: { uploads: { document } } })
  await client.uploadFileSource({ ...small, fileName: 'a b.txt' })
  await client.uploadStructuredDataFile(small)
  const keys = service.met.map(({ headers }) => [headers['x-first'], headers['idempotency-key']])
  expect(service.met.slice(0, 2).map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PUT', '/p', { file: { name: 'a b.txt' } }],
    ['POST', '/p/9/a%20b.txt', { final: true, key: 'faq-finalize', content: 'AQ==' }],
  ])
  expect(keys.slice(0, 2)).toEqual([
    ['faq-prepare', undefined],
    [undefined, undefined],
  ])
  expect(service.met[2]?.path).toBe('/api/v1/uploads/spreadsheets/prepare')
})

const inOneStep: Readonly<Record<string, { step: UploadStep; sent: object; headers: object }>> = {
  'raw bytes': {
    step: { path: '/f', bytes: '', otherKeyHeader: 'X-First', members: { folder: 'a&b', size: 1 } },
    sent: { method: 'POST', path: '/f?folder=a%26b&size=1', text: '\u0001' },
    headers: { 'content-type': 'text/plain', 'x-first': 'faq-prepare', 'idempotency-key': 'faq-finalize' },
  },
  'base64, and both keys in the body': {
    step: { path: '/f', method: 'PUT', bytes: '/data/file', key: '/keys/1', otherKey: '/keys/0' },
    sent: {
      method: 'PUT',
      body: { data: { file: 'AQ==' }, keys: { 0: 'faq-prepare', 1: 'faq-finalize' } },
    },
    headers: { 'content-type': 'application/json' },
  },
}

test.for(Object.entries(inOneStep))(
  'LIB-UPLOAD-KEYS: is one request with both keys: %s',
  async ([, { step, sent, headers }]) => {
    service = await openService(held, accepted)
    const client = service.client({ dialect: { uploads: { document: { finalize: step } } } })
    expect(await client.uploadFileSource(small)).toMatchObject({ status: 'pending_approval' })
    await client.uploadFileSource(small)
    const [first, again] = service.met
    expect(first).toMatchObject({ ...sent, headers })
    expect([again?.text, again?.path]).toEqual([first?.text, first?.path])
  },
)

const wrong: Readonly<Record<string, Partial<Record<keyof Upload, unknown>>>> = {
  'no prepare key': { prepareKey: undefined },
  'no finalize key': { finalizeKey: '' },
  'one key for both steps': { finalizeKey: 'faq-prepare' },
  'no file name': { fileName: '' },
  'no content type': { contentType: undefined },
  'a text for bytes': { bytes: 'hello' },
}

test.for(Object.entries(wrong))('%s fails before anything is sent', async ([, part]) => {
  service = await openService()
  await expect(service.client().uploadFileSource({ ...file, ...part } as Upload)).rejects.toThrow(InvalidCall)
  expect(service.met).toEqual([])
})
