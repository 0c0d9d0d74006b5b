import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { apiKey, openService, wireReply } from './service.testkit.ts'

/** What GitHub documents for this scheme. */
const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

test('LIB-THIN: the library needs nothing but what every platform of the web has', async () => {
  const service = await openService(
    { body: wireReply },
    {
      parts: [
        `data: {"type":"token","token":"a"}\n\ndata: ${JSON.stringify({ type: 'done', ...wireReply })}\n\n`,
      ],
    },
    { body: { status: 'completed', data: { uploadId: 'u' } } },
    { body: { status: 'accepted' } },
    { body: { state: 'running' } },
    { status: 403, body: { error: 'FORBIDDEN' } },
  )
  const workerData = { baseUrl: service.url, apiKey, header }
  const execArgv = ['--experimental-vm-modules', '--no-warnings']
  const worker = new Worker(new URL('web-only.testkit.ts', import.meta.url), { workerData, execArgv })
  const [seen] = await once(worker, 'message')
  expect(seen).toEqual({
    response: wireReply.response,
    types: ['token', 'done'],
    status: 'accepted',
    genuine: true,
    refused: expect.stringContaining('403 FORBIDDEN') as string,
  })
  await worker.terminate()
  await service.close()
})
