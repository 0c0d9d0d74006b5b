import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../index.ts'

const controlToken = 'a-token-of-the-documents'
let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({ controlToken, vendor: 'acme' })
})
afterAll(() => simulator.close())

const read = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${simulator.url}/_sim/${name}`, { headers })

test.for([
  ['openapi.json', { openapi: '3.1.0', servers: [{ url: '/' }] }, 'X-Acme-Idempotent-Replay'],
  ['asyncapi.json', { asyncapi: '3.0.0' }, 'x-acme-signature'],
  ['control.json', { openapi: '3.1.0', servers: [{ url: '/' }] }, '/_sim/v1/tenants/{tenantId}'],
] as const)('%s is whole, with the identifiers of the vendor', async ([name, members, text]) => {
  const response = await read(name, { authorization: `Bearer ${controlToken}` })
  const body = await response.text()
  expect(response.status).toBe(200)
  expect(JSON.parse(body)).toMatchObject(members)
  expect(body).toContain(text)
  expect(body).not.toMatch(/"\$ref": ?"(?!#)/)
})

test('a document needs the control token, and one that does not exist is named', async () => {
  expect((await read('openapi.json')).status).toBe(401)
  const missing = await read('openapi.yaml', { authorization: `Bearer ${controlToken}` })
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining('there are openapi.json, asyncapi.json, control.json'),
  ])
})

test('without a control plane there are no documents', async () => {
  await using closed = await createSimulator({ control: false })
  expect((await fetch(`${closed.url}/_sim/openapi.json`)).status).toBe(404)
})
