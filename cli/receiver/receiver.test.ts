import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { run, testIo } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const secret = 'whsec_of_this_receiver'
const token = 'token-of-the-gateway'
const env = { SECRET: secret, TOKEN: `Bearer ${token}`, EMPTY: '' }
const root = temporaryFolder()
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}

/** Behind a gateway that wants a token, and disclosing more of itself than it should. */
const refusingWith =
  (refusal: number): RequestListener =>
  async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const digest = createHmac('sha256', secret).update(Buffer.concat(chunks)).digest('hex')
    const genuine = request.headers['x-service-signature'] === `sha256=${digest}`
    const known = request.headers.authorization === env.TOKEN
    response.writeHead(known ? (genuine ? 200 : refusal) : 403).end(`my secret is ${secret}`)
  }
const receiver = refusingWith(401)

const judge = (url: string, ...more: string[]) => {
  const out = mkdtempSync(join(root, 'out-'))
  const words = ['receiver', url, '--secret', 'env:SECRET', '--out', out, '--quiet', ...more]
  return run(words, { env }).then((said) => ({ ...said, folder: out }))
}
const gateway = ['--header', 'Authorization=env:TOKEN']

describe('touchstone receiver', () => {
  it('leaves the reports of every run, with the plan, and no secret in any', async () => {
    const { code, out, folder } = await judge(await serve(receiver), ...gateway)
    expect([code, out]).toEqual([0, expect.stringContaining(', receiver at http://127.0.0.1')])
    expect(out).toContain('partial')
    expect(out).toContain('--effects')
    const files = readdirSync(folder)
    expect(files).toEqual(
      expect.arrayContaining(['plan.json', 'run.json', 'journal.ndjson', 'junit.xml', 'report.html']),
    )
    const plain = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
    const texts = plain.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('')
    expect([texts.includes(secret), texts.includes(token)]).toEqual([false, false])
    expect(texts.includes('[[webhook-secret')).toBe(true)
    expect(/<title>[^<]*127\.0\.0\.1/.test(texts)).toBe(true)
  })

  it('reports what it did where it is ended early, or may send no more', async () => {
    const url = await serve(receiver)
    const few = await judge(url, ...gateway, '--max-requests', '9')
    expect([few.code, few.out]).toEqual([3, expect.stringContaining('the run may use 9 requests')])

    const io = testIo({ env })
    let count = 0
    const ending = await serve((request, response) => {
      if (++count === 9) io.stop()
      return receiver(request, response)
    })
    const words = ['receiver', ending, '--secret', 'env:SECRET', '--out', mkdtempSync(join(root, 'out-'))]
    expect(await main([...words, ...gateway], io)).toBe(3)
    expect(io.printed.out).toContain('Interrupted: The run was ended early')
    expect(io.printed.err).toContain('Stopping: the results so far are reported')
  })

  const program = join(root, 'dies.mjs')
  writeFileSync(
    program,
    `import { createServer } from 'node:http'
    import { createHmac } from 'node:crypto'
    createServer(async (request, response) => {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      const { 'x-service-signature': said = '' } = request.headers
      const { DIES = 'at not ASCII' } = process.env
      if (DIES === 'at not ASCII' && /[^ -~]/.test(said)) throw new RangeError('must have the same byte length')
      const digest = createHmac('sha256', '${secret}').update(Buffer.concat(chunks)).digest('hex')
      const status = said === 'sha256=' + digest ? 200 : 401
      if (DIES === 'never, it drops' && status === 401) return request.socket.destroy()
      response.writeHead(status).end()
      if (DIES === 'after ' + status) setTimeout(() => process.exit(7), 5)
    }).listen(process.env.PORT, '127.0.0.1')`,
  )
  /** Whether it is started here, the exit code, output, errors, when it dies, and what is run. */
  type Row = [what: string, boolean, number, RegExp, RegExp, dies?: string, only?: string]
  const rows: readonly Row[] = [
    [
      'is lost after the last delivery that was answered, and failed for none',
      false,
      4,
      /stopped\s+answering\s+after\s+delivery `before`\s+of\s+receiver-forged\/bytes:\s+forged\s+delivery `not-ascii`\s+of\s+receiver-forged\/bytes\s+got\s+no\s+response(?![^]*\n! RECV)[^]*, 0 failed, /,
      /To run: /,
    ],
    [
      'starts it, and again after a crash, which fails, and goes on',
      true,
      1,
      /its process ended after forged delivery `not-ascii` of receiver-forged\/bytes\s+and\s+1\s+more\s+\(\S+\s+ended\s+with\s+1:\s+RangeError[^]* --seed \d+ -- \S+ \S+dies.mjs\n[^]*\n\d\d passed, 1 failed, 7 skipped, 1 warned, [^]*\noutput of \S+: \S+receiver.log\n$/,
      /ended with 1: RangeError: must have the same byte length; it is started again\n[^]*\n\d times: /,
    ],
    [
      'takes an end after a genuine delivery for one of its own',
      true,
      1,
      /its\s+process\s+ended\s+after\s+delivery\s+`before`\s+of\s+receiver-forged\/changed[^]*cause +probably: what it does after its answer[^]*--only 'receiver-forged\/changed,receiver-genuine\/stands\/RECV-GENUINE'[^]*\n\d passed, 1 failed, /,
      /stands\/RECV-GENUINE/,
      'after 200',
      'receiver-forged/changed,receiver-genuine/stands',
    ],
    [
      'takes a dropped connection for an answer, and waits for nothing',
      true,
      0,
      /used +[12]\d requests[^]*the connection dropped without an answer(?![^]*its\s+process\s+ended)/,
      /To run: /,
      'never, it drops',
      'receiver-forged/changed,receiver-genuine/stands',
    ],
    [
      'takes an end after a refusal for one of the forged delivery',
      true,
      1,
      /its\s+process\s+ended\s+after\s+forged\s+delivery\s+`[\w-]+`\s+of\s+receiver-forged\/changed[^]*cause +probably: what it does after its answer[^]*\n\d passed, [12] failed, /,
      /changed\/RECV-GENUINE/,
      'after 401',
      'receiver-forged/changed,receiver-genuine/stands',
    ],
  ]
  it.for<Row>(rows)(
    'of a receiver that dies it %s',
    { timeout: 30_000 },
    async ([, isStarted, code, out, err, dies, only]) => {
      const url = await serve(receiver)
      closing.splice(0).forEach((close) => close())
      const { port } = new URL(url)
      if (!isStarted) {
        const child = spawn(process.execPath, [program], { env: { PORT: port } })
        closing.push(() => void child.kill())
        await vi.waitFor(() => fetch(url), 10_000)
      }
      const folder = mkdtempSync(join(root, 'out-'))
      const words = ['receiver', url, '--secret', 'env:SECRET', '--out', folder]
      const more = ['--requests-per-minute', '10000', ...(only ? ['--only', only] : [])]
      const said = await run([...words, ...more, ...(isStarted ? ['--', process.execPath, program] : [])], {
        env: { ...env, PORT: port, ...(dies && { DIES: dies }) },
      })
      expect(said).toMatchObject({ code, out: expect.stringMatching(out), err: expect.stringMatching(err) })
      expect((await run(['verify', folder, '--rejudge'])).code).toBe(0)
      await expect.poll(() => fetch(url).catch(() => 'gone')).toBe('gone')
    },
  )

  it('starts none where another still listens, which would be judged in its place', async () => {
    const { code, err } = await judge(await serve(receiver), '--', process.execPath, program)
    expect(err).toMatch(/Something listens at 127.0.0.1:\d+ already: stop it/)
    expect(code).toBe(2)
  })

  it('fails no receiver for its rate limit, and passes nothing for it', async () => {
    let count = 0
    const url = await serve((request, response) =>
      ++count > 4 ? void response.writeHead(429).end() : receiver(request, response),
    )
    const { code, out } = await judge(url, ...gateway)
    expect(out).toMatch(/got 429 \(rate limited\); see\s+--requests-per-minute/)
    expect(code).toBe(3)
    expect(out).toMatch(/\n[1-9] passed, 0 failed, 7 skipped, \d+ inconclusive/)
  })

  it('takes a 429 to forged deliveries alone as a refusal', async () => {
    const { code, out } = await judge(await serve(refusingWith(429)), ...gateway)
    expect([code, out]).toEqual([0, expect.stringMatching(/\n\d\d passed, 0 failed, /)])
  })

  it('sends a traceparent with every delivery, unless it is not to', async () => {
    const traces = new Set<string | undefined>()
    const url = await serve((request, response) => {
      traces.add(request.headersDistinct['traceparent']?.join())
      return receiver(request, response)
    })
    const few = [...gateway, '--only', 'receiver-genuine/*']
    await judge(url, ...few)
    expect(traces.size).toBeGreaterThan(1)
    expect(new Set([...traces].map((one) => one?.slice(0, 36))).size).toBe(1)
    traces.clear()
    await judge(url, ...few, '--no-trace')
    expect([...traces]).toEqual([undefined])
  })

  it('ends with 4 where nothing answers, and with 2 where it is sent elsewhere', async () => {
    expect(await judge('http://127.0.0.1:1/hooks')).toMatchObject({
      code: 4,
      err: expect.stringContaining('nothing answers at http://127.0.0.1:1/hooks'),
    })
    expect((await judge(await serve(({ socket }) => socket.destroy()))).err).toContain('probably throws')
    const deadEffects = ['--effects', 'http://127.0.0.1:1/effects/{id}']
    expect(await judge(await serve(receiver), ...gateway, ...deadEffects)).toMatchObject({
      code: 4,
      err: expect.stringMatching(/nothing answers at --effects http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED/),
    })
    const elsewhere = await serve((_, response) => response.writeHead(308, { location: '/other' }).end())
    expect(await judge(elsewhere)).toMatchObject({ code: 2, err: expect.stringContaining('redirects (308)') })
  })
})

const wrong: readonly (readonly [string, readonly string[], string])[] = [
  ['a secret itself', ['http://x', '--secret', 'whsec_1'], 'does not accept a secret itself'],
  ['an empty secret', ['http://x', '--secret', 'env:EMPTY'], 'EMPTY is empty; export it'],
  ['an old event', ['http://x', '--events', 'action.executed'], 'it is called tool.executed now'],
  ['a header with the secret itself', ['http://x', '--header', `X: ${token}`], 'give NAME=env:NAME'],
  ['a missing command', ['http://x', '--', 'no-such-app'], 'no-such-app: there is no such executable'],
  ['an address with a user', [`http://me:${token}@x`], 'leave user and password out'],
  ['an address with a password alone', [`http://:${token}@x`], 'leave user and password out'],
  ['a header of its own', ['http://x', '--header', 'X-Service-Event=env:TOKEN'], 'leave this one away'],
]

it.each(wrong)('touchstone receiver refuses %s', async (_, words, said) => {
  const { code, err } = await run(['receiver', '--secret', 'env:SECRET', '--out', root, ...words], { env })
  expect([code, err]).toEqual([2, expect.stringContaining(said)])
  expect(err).not.toContain(token)
})
