import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSimulator,
  type NetworkFault,
  type JournalEntry,
  type Simulator,
  type StreamEncoding,
} from '../index.ts'
import { postTurn } from '../testing/project.testkit.ts'
import { chatBytes, dial } from '../testing/socket.testkit.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({
    replyRules: [{ match: {}, reply: { tokens: ['é世 ', '🙂'] } }],
    unlimited: true,
  })
})
afterAll(() => simulator.close())

/** What a client got: every chunk of the body as it came, and how its connection ended. */
interface Got {
  readonly status: number
  readonly head: string
  readonly body: string
  /** Of the body, as they came. */
  readonly bytes: Buffer
  readonly ended: string
}

let keys = 0
const keyOf = (): string => `faulty-${++keys}`

/** One chat turn by a raw socket; `whole` bodies end with the empty chunk, or with all of their length. */
function ask(stream: boolean, key = keyOf()): Promise<Got> {
  const socket = dial(simulator)
  return new Promise((resolve) => {
    let text = ''
    let ended = 'closed'
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')))
    socket.on('error', (error: NodeJS.ErrnoException) => (ended = error.code ?? ''))
    socket.on('close', () => {
      const [head = '', rest = ''] = text.split(/\r\n\r\n([^]*)/)
      const bytes = Buffer.from(rest, 'latin1')
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
      resolve({ status, head, body: bytes.toString(), bytes, ended })
    })
    socket.write(
      chatBytes(simulator, { body: JSON.stringify({ message: 'hello', idempotency_key: key, stream }) }),
    )
  })
}

/** What the journal has of the last request, once it ended. */
async function lastEntry({ journal, clock } = simulator.tenant): Promise<JournalEntry> {
  for (;;) {
    const entry = journal.entries().at(-1)
    if (entry && entry.closedBy !== null) return entry
    await clock.yield()
  }
}
const bytesOf = ({ response }: JournalEntry): string =>
  Buffer.concat(response.map(({ bytes }) => bytes)).toString()
const turns = (): number => 1_000_000 - simulator.tenant.credits('main')

async function meet(trouble: NetworkFault['do'], stream = false, key = keyOf()) {
  const before = turns()
  simulator.tenant.addNetworkFaults([{ do: trouble }])
  const got = await ask(stream, key)
  const entry = await lastEntry()
  return { got, entry, sent: bytesOf(entry), worked: turns() - before, key }
}

describe('a refusal comes in the place of the service, which does nothing:', () => {
  test.for([
    ['REQUEST_IN_PROGRESS', 409, {}],
    ['OUTCOME_UNCERTAIN', 409, {}],
    ['WORKFLOW_INTERACTION_STALE', 409, {}],
    ['INSUFFICIENT_CREDITS', 402, { credits_required: 1, credits_remaining: 0 }],
    ['INVALID_API_KEY', 401, {}],
    ['UNAVAILABLE', 503, {}],
  ] as const)('%s with %i', async ([code, status, members]) => {
    const { got, worked, key } = await meet({ is: 'refuse', code })
    expect([got.status, worked]).toEqual([status, 0])
    expect(JSON.parse(got.body)).toMatchObject({ error: expect.stringMatching(/./) as string, ...members })
    expect((await ask(false, key)).head).toMatch(/^HTTP\/1\.1 200 (?![^]*Replay)/)
  })

  test('a 429 has the configured values', async () => {
    const { got } = await meet({
      is: 'refuse',
      code: 'RATE_LIMITED',
      retryAfterSeconds: 7,
      limit: 5,
      remaining: 0,
    })
    expect(JSON.parse(got.body)).toMatchObject({ retry_after_seconds: 7, limit: 5, remaining: 0 })
  })
})

test('given bytes come as they are', async () => {
  const { got, sent } = await meet({
    is: 'answer',
    status: 502,
    headers: { 'X-From': 'a proxy' },
    body: '<p>é',
  })
  expect(got).toMatchObject({
    status: 502,
    body: '<p>é',
    head: expect.stringContaining('X-From: a proxy') as string,
  })
  expect(sent).toBe('<p>é')
})

const cases: readonly [
  Extract<NetworkFault['do'], { is: 'cut' }>,
  stream: boolean,
  status: number,
  worked: number,
][] = [
  [{ is: 'cut', when: 'before' }, false, 0, 0],
  [{ is: 'cut', when: 'before', reset: true }, false, 0, 0],
  [{ is: 'cut', when: 'in' }, false, 200, 1],
  [{ is: 'cut', when: 'in', bytes: 5 }, false, 200, 1],
  [{ is: 'cut', when: 'in', reset: true }, true, 200, 1],
  [{ is: 'cut', when: 'in', bytes: 12 }, true, 200, 1],
  [{ is: 'cut', when: 'after' }, false, 0, 1],
  [{ is: 'cut', when: 'after', reset: true }, true, 0, 1],
]
test.for(cases)('a connection breaks as %j, stream %s', async ([trouble, stream, status, worked]) => {
  const met = await meet(trouble, stream)
  expect(met.got).toMatchObject({ status, ended: trouble.reset ? 'ECONNRESET' : 'closed' })
  expect(met.worked).toBe(worked)
  expect(met.entry).toMatchObject({ status, closedBy: 'drop' })
  expect(met.sent).not.toContain('credits_remaining')
  expect(Buffer.byteLength(met.sent)).toBe(trouble.bytes ?? Buffer.byteLength(met.sent))
  expect(stream || met.got.body === met.sent).toBe(true)
  const again = await ask(false, met.key)
  expect(again.status).toBe(200)
  expect(again.head.includes('Replay')).toBe(worked === 1)
})

/** The chunks of a chunked body. */
function chunks(bytes: Buffer): { readonly parts: readonly string[]; readonly whole: boolean } {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    if (length === 0) return { parts, whole: true }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length).toString('latin1'))
    at = lineEnd + 4 + length
  }
  return { parts, whole: false }
}

describe('a stream goes out', () => {
  const encoded = async (as: StreamEncoding) => {
    simulator.tenant.addNetworkFaults([{ do: { is: 'encode', as } }])
    const { parts, whole } = chunks((await ask(true)).bytes)
    const entry = await lastEntry()
    const journaled = entry.response.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
    expect(journaled).toEqual(parts)
    return { parts, whole, text: Buffer.from(parts.join(''), 'latin1').toString() }
  }
  const line = (token: string): string => `data: {"type":"token","token":"${token}"}\n\n`

  const looks: readonly [name: string, StreamEncoding, start: string | RegExp, end?: RegExp][] = [
    ['with one line end', { lineEnd: '\r\n' }, /^data: .*}\r\n\r\ndata: /],
    ['with the other', { lineEnd: '\r' }, /^data: [^\n]*}\r\rdata: [^\n]*\r\r$/],
    ['without a blank', { tight: true }, /^data:\{"type":"token"/],
    ['behind a byte order mark', { first: '\uFEFF' }, `\uFEFF${line('é世 ')}`],
    ['with comments', { before: ': here\n' }, `: here\n${line('é世 ')}: here\n${line('🙂')}: here\ndata: `],
    ['with an end behind it', { last: ': over\n\n' }, /^data/, /}\n\n: over\n\n$/],
    ['without its last empty line', { noFinalBlank: true }, /^data/, /"type":"done".*}\n$/],
    [
      'with events of others',
      {
        insert: [
          { behind: 0, raw: 'id: 7\n' },
          { behind: 1, event: { type: 'mood', mood: 'ü' } },
        ],
      },
      `id: 7\n${line('é世 ')}data: {"type":"mood","mood":"ü"}\n\n${line('🙂')}`,
    ],
    ['with an event twice', { insert: [{ behind: 3, again: true }] }, /(data: \{"type":"done".*\n\n)\1$/],
  ]
  test.for(looks)('%s', async ([, as, start, end = /$/]) => {
    const { text, whole } = await encoded(as)
    expect(whole).toBe(true)
    const begins = typeof start === 'string' ? text.startsWith(start) : start.test(text)
    expect([begins, text]).toEqual([true, expect.stringMatching(end)])
  })

  test.for([
    ['close', 2, true],
    ['cut', 1, false],
    ['reset', 2, false],
  ] as const)('until it ends by %s behind %i events', async ([by, behind, ends]) => {
    const { text, whole } = await encoded({ end: { behind, by }, writes: 'whole' })
    expect([text, whole]).toEqual([[line('é世 '), line('🙂')].slice(0, behind).join(''), ends])
  })
})

test('silence and waiting take their time from the clock of the tenant, and the journal has it', async () => {
  const other = simulator.createTenant({
    clock: { mode: 'frozen' },
    networkFaults: [
      { do: { is: 'wait', ms: 500 } },
      { do: { is: 'encode', as: { silence: { behind: 1, ms: 250, comments: true } } } },
    ],
  })
  const answered = postTurn(other, 'k', { message: 'a', stream: true }).then((response) => response.text())
  while (other.clock.pending === 0) await other.clock.yield()
  await other.clock.advance(750)
  expect((await answered).match(/: still here/g)).toHaveLength(3)
  const entry = await lastEntry(other)
  expect(entry.response.map(({ at }) => at - entry.at).slice(0, 4)).toEqual([500, 600, 700, 750])
  other.close()
})

test('the control plane sets them up and clears them', async () => {
  const base = `${simulator.url}/_sim/v1/tenants/${simulator.tenant.id}/network-faults`
  const headers = { 'content-type': 'application/json' }
  const post = (body: unknown) => fetch(base, { method: 'POST', headers, body: JSON.stringify(body) })
  const refuse = { do: { is: 'refuse', code: 'UNAVAILABLE' } }
  expect((await post({ networkFaults: [refuse, refuse] })).status).toBe(200)
  expect((await ask(false)).status).toBe(503)
  expect((await fetch(base, { method: 'DELETE' })).status).toBe(200)
  expect((await ask(false)).status).toBe(200)
  const refused = await post({ networkFaults: [{ do: { is: 'cut', when: 'never' } }] })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('/networkFaults/0') as string,
  ])
})
