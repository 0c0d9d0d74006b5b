/** Paths that mean to be another one, and names that mean to be more than a name. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { services } from '../../simulator/services.ts'
import { controlPlane } from './two-tenants.ts'

const token = 'the-control-token-of-this-test'
const log: string[] = []
let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({
    controlToken: token,
    log: (line) => void log.push(line),
    clock: { mode: 'frozen', at: 0 },
    unlimited: true,
    legacy: true,
  })
})
afterAll(() => simulator.close())

/** Exactly these bytes as the target; the status of the answer, 0 where the socket closed without one. */
async function statusOf(target: string, headers: readonly string[] = []): Promise<number> {
  const socket = connect(simulator.port, simulator.host)
  const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers]
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => void (text += part))
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
}

const defects = (): readonly string[] => log.filter((line) => line.startsWith('error:'))

describe('nobody gets to the control plane by', () => {
  const targets = [
    '/_sim/v1/faults',
    '//_sim/v1/faults',
    '/./_sim/v1/faults',
    '/_sim//v1/faults',
    '/_sim/v1/faults/',
    '/_sim/v1/faults;x=1',
    '/%5fsim/v1/faults',
    '/%5Fsim/%76%31/faults',
    '/_sim%2fv1%2ffaults',
    '/_SIM/V1/FAULTS',
    '/_sim\\v1\\faults',
    '/_sim/v1/faults%00',
    '/_sim/v1/faults%0d%0aX:%20y',
    '/_sim/v1/faults?%',
    '/_sim/v1/faults#fragment',
    '/_sim/v1/../v1/faults',
    '/api/v1/..;/../_sim/v1/faults',
    '/api/v1/chat/..%2f..%2f..%2f_sim%2fv1%2ffaults',
    '/api/v1/../../_sim/v1/faults',
    '/healthz/../_sim/v1/faults',
    'http://localhost/_sim/v1/faults',
    'http://user:password@localhost/_sim/v1/faults',
    'http://[/_sim/v1/tenants/x/journal',
    'http:///_sim/v1/faults',
    'HTTPS://elsewhere.example/_sim/v1/faults',
    '/_sim/v1/tenants/%',
    '/_sim/v1/tenants/%ff%fe/clock',
    `/_sim/v1/tenants/${'x'.repeat(8_000)}/clock`,
    `/${'../'.repeat(2_000)}_sim/v1/faults`,
    `/_sim/v1/tenants/${'%2e%2e%2f'.repeat(500)}`,
    '*',
    '/',
    '/\xff',
    'localhost:80',
  ]
  test.for(targets)('%s', async (target) => {
    const status = await statusOf(target)
    expect([400, 401, 404, 405]).toContain(status)
    expect(defects()).toEqual([])
  })

  test('and whoever has the token gets there by its own path', async () => {
    expect(await statusOf('/_sim/v1/faults', [`Authorization: Bearer ${token}`])).toBe(200)
  })
})

/** Members that every object has, and what stands in them where somebody could add some. */
const natures = ['Object', 'Array', 'Function', 'String', 'Map'] as const
const natureOf = (): unknown =>
  natures.map((name) => Object.getOwnPropertyNames((globalThis[name] as { prototype: object }).prototype))

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'] as const
const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1'

const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`

/** As text, because no object literal has such members as its own. */
const bodies = [
  `{${poison}}`,
  `{"message":"m","idempotency_key":"__proto__",${poison}}`,
  `{"message":"m","idempotency_key":"k","conversation_id":"__proto__"}`,
  `{"message":"m","idempotency_key":"k","interaction":{"type":"workflow_button","runId":"__proto__","nodeId":"constructor","payload":{${poison}}}}`,
  `{"message":"m","metadata":{${poison}}}`,
  `{"input":{${poison}}}`,
  `{"input":{"agentId":"__proto__","text":"t","author":{${poison}}}}`,
  `{"uploadId":"__proto__","bytes":""}`,
  `{"fileName":"__proto__","contentType":"constructor","size":1}`,
  `{"name":"__proto__","endpoint_url":"http://localhost:9/","events":["__proto__"],"custom_headers":{"__proto__":"x","constructor":"y"}}`,
  `{"name":"n","endpoint_url":"http://localhost:9/","events":["leads.submit"],"custom_headers":{"__proto__":"x","constructor":"y"}}`,
  `{"jsonrpc":"2.0","id":"__proto__","method":"tools/call","params":{"name":"__proto__","arguments":{${poison}}}}`,
  `{"interpretations":{"__proto__":"x","GAP-__proto__":"y"}}`,
  `{"interpretations":{"constructor":"x"}}`,
  `{"faults":["__proto__"],"variants":["constructor"]}`,
  `{"event":"__proto__"}`,
  `{"event":"leads.submit","agentId":"__proto__","payload":{${poison}}}`,
  `{"event":"leads.submit","payload":{${poison}}}`,
  `{"event":"leads.submit","payload":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  `{"credits":1,"plan":"__proto__"}`,
  `{"agentId":"__proto__","idempotencyKey":"constructor","principal":"__proto__","webhookId":"__proto__"}`,
  `{"point":"before-run","agentId":"__proto__","idempotencyKey":"constructor"}`,
  `{"replyRules":[{"match":{"agent":"__proto__","message":"constructor"},"reply":{"text":"t","events":["leads.submit"]}}]}`,
  `{"networkFaults":[{"on":{"path":"__proto__"},"do":{"is":"answer","status":200,"headers":{"__proto__":"x"},"body":""}}]}`,
  `{"networkFaults":[{"on":{"path":"/nowhere"},"do":{"is":"encode","as":{"insert":[{"behind":0,"event":{${poison}}}]}}}]}`,
  `{"seed":"__proto__"}`,
  `{"message":"m","idempotency_key":"deep","interaction":{"type":"workflow_button","runId":"r","nodeId":"n","payload":${deep}}}`,
  `{"message":"m","metadata":${deep},"input":${deep},"custom_headers":${deep},"replyRules":[${deep}]}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes.create","arguments":${deep}}}`,
  `{"event":"leads.submit","payload":${deep}}`,
  `{"networkFaults":[{"do":{"is":"encode","as":{"insert":[{"behind":0,"event":${deep}}]}}}]}`,
]

/** What ends the tenant that the others are tried in is tried with names of no tenant only. */
const endless = (path: string, tenant: string): boolean =>
  tenant !== simulator.tenant.id ||
  !/\/tenants\/:tenantId$|\/(?:wait|reached|reset|clock|journal\/events)/.test(path)

async function send(
  method: string,
  path: string,
  name: string,
  tenant: string,
  body?: string,
): Promise<number> {
  const { keys, sessions, agents } = simulator.tenant
  const known: Record<string, string> = { tenantId: tenant, agentId: name === '' ? agents.plain : name }
  const filled = path.replaceAll(
    /:(\w+)/g,
    (_, param: string) => known[param] ?? encodeURIComponent(name || 'x'),
  )
  const as = path.startsWith('/_sim') ? token : keys.main
  const answer = await fetch(`${simulator.url}${filled}?${name || 'constructor'}=1&header=${name}:x`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(path.startsWith('/api/agents') && { authorization: '', cookie: `session=${sessions.main}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(name !== '' && { [name]: name, 'idempotency-key': name }),
    },
    ...(body !== undefined && { body }),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('names that every object has are names like others, wherever they stand', async () => {
  const before = natureOf()
  const bad: string[] = []
  const note = (what: string, status: number): void => void (status >= 500 && bad.push(`${status} ${what}`))
  for (const { method, path } of [...services, ...controlPlane])
    for (const name of names)
      for (const tenant of [name, simulator.tenant.id])
        if (endless(path, tenant)) note(`${method} ${path} ${name}`, await send(method, path, name, tenant))
  expect([bad, defects(), natureOf()]).toEqual([[], [], before])
})

test('members that every object has are members like others, in every body', async () => {
  const before = natureOf()
  const bad: string[] = []
  for (const { method, path } of [...services, ...controlPlane]) {
    if (method === 'GET' || !endless(path, simulator.tenant.id)) continue
    for (const body of bodies) {
      const status = await send(method, path, '', simulator.tenant.id, body)
      if (status >= 500) bad.push(`${status} ${method} ${path} ${body.slice(0, 80)}`)
    }
  }
  expect([bad, defects(), natureOf()]).toEqual([[], [], before])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test.for([
  ['networkFaults', 'POST', '1', 'network-faults'],
  ['networkFaults', 'POST', '{"do":{}}', 'network-faults'],
  ['replyRules', 'PUT', '{"match":1}', 'reply-rules'],
] as const)(
  'as many wrong %s as a body holds are refused for the first',
  async ([list, method, item, path]) => {
    const items = Array<string>(Math.floor(1_000_000 / (item.length + 1))).fill(item)
    const body = `{"${list}":[${items.join(',')}]}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { id } = simulator.tenant
    const url = `${simulator.url}/_sim/v1/tenants/${id}/${path}`
    const answer = await request(url, { method, headers, body })
    expect([answer.statusCode, await answer.body.text()]).toEqual([
      400,
      expect.stringContaining(`at /${list}/0`),
    ])
  },
)
