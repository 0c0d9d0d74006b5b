import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSimulator, type ReplyRule, type Simulator } from '../../simulator/index.ts'
import { run } from '../process.testkit.ts'
import { replyRulesIn } from '../simulate/reply-file.ts'
import { clientOf, recorded, seen, turn } from './record.testkit.ts'

let folder: string
let file: string
const open: { close(): unknown }[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-record-'))
  file = join(folder, 'recorded.yaml')
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function simulate(replyRules: readonly ReplyRule[]): Promise<Simulator> {
  const simulator = await createSimulator({ replyRules })
  open.push(simulator)
  return simulator
}

const conversation: readonly ReplyRule[] = [
  {
    match: { message: 'Where is my order?' },
    reply: {
      tokens: ['It is ', 'on its', ' way.'],
      actions: [{ actionName: 'find_order' }, { actionName: 'read_account', success: false }],
      gate: { decision: 'rewrite', reason: 'An address was asked for.' },
      credits: 1.5,
    },
  },
  {
    match: { message: 'Show me more' },
    reply: {
      text: 'Choose: # or "quotes", ünïcode ✓\nand a line.',
      presentation: {
        messages: ['Choose.', '# one'],
        buttons: ['Track: it', 'No'],
        images: ['https://example.com/a.png'],
        media: ['https://example.com/b.mp4'],
      },
      credits: 2,
    },
  },
  { match: { pressed: 1 }, reply: { text: 'Pressed.', presentation: { buttons: ['Again'] } } },
  { match: { pressed: 2 }, reply: { text: 'Pressed again.' } },
  {
    match: { message: 'Break' },
    reply: { tokens: ['So ', 'far'], error: { afterTokens: 1, text: 'It stopped.' } },
  },
]

describe('touchstone replies record', () => {
  it.each([true, false])(
    'writes a file that gives a client the same responses again (stream: %s)',
    async (stream) => {
      const original = await simulate(conversation)
      let first: readonly string[] = []
      const { code, err } = await recorded(file, original.url, async (baseUrl) => {
        first = await seen({ ...clientOf(original), baseUrl }, stream)
      })
      const second = await seen(clientOf(await simulate(replyRulesIn(file))), stream)

      expect([code, err]).toEqual([0, expect.stringContaining(`${stream ? 5 : 4} turns recorded`)])
      expect(first.join('\n')).toContain('Pressed again.')
      // Without a stream the last turn is a 500, and no reply rule.
      const replayed = stream ? 5 : 4
      expect(second.slice(0, replayed)).toEqual(first.slice(0, replayed))
      expect(readFileSync(file, 'utf8')).not.toContain(original.tenant.keys.main)
    },
  )

  it('forwards every byte unchanged and without delay', async () => {
    const original = await simulate([{ match: {}, reply: { tokens: ['one', 'two'] } }])
    const barrier = original.tenant.barriers.hold({ at: 'after-token:1' })
    await recorded(file, original.url, async (baseUrl) => {
      const { key, agent } = clientOf(original)
      const answer = await fetch(`${baseUrl}/api/v1/chat/${agent}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: '{"message":"Hello","stream":true,"idempotency_key":"k1"}',
      })
      const reader = answer.body?.getReader()
      const early = Buffer.from((await reader?.read())?.value ?? []).toString()
      expect(early).toContain('"one"')
      expect(early).not.toContain('"two"')
      barrier.release()
      let rest = ''
      for (let read = await reader?.read(); read?.value; read = await reader?.read())
        rest += Buffer.from(read.value).toString()
      const [entry] = original.tenant.journal.entries()
      expect(early + rest).toBe(Buffer.concat(entry?.response.map(({ bytes }) => bytes) ?? []).toString())
    })
  })

  it('sends messages, prints their number first, and records the turns before a refusal', async () => {
    const { url, tenant } = await simulate([{ match: {}, reply: { text: 'Yes.', credits: 2 } }])
    tenant.setCredits('main', 3)
    const words = [
      '--message',
      'First, with a comma',
      '--message',
      'Second',
      '--message',
      'Third',
      '--stream',
    ]
    const { code, out, err } = await run(
      [
        'replies',
        'record',
        '--base-url',
        url,
        '--agent',
        tenant.agents.plain,
        '--api-key',
        'env:KEY',
        ...words,
      ],
      { env: { KEY: tenant.keys.main } },
    )

    expect(code).toBe(3)
    expect(err.split('\n')).toEqual([
      `Sending 3 messages to agent ${tenant.agents.plain}; each turn may cost credits.`,
      'turn 2 of 3 was refused: 402 INSUFFICIENT_CREDITS. Add credits; the body says how many are required and left when that is known.',
      '1 turn recorded; redacted: nothing.',
      '',
    ])
    expect(out).toContain('First, with a comma')
    expect(out).not.toContain('Second')
    expect(tenant.journal.entries()).toHaveLength(2)
  })

  it('redacts secrets and addresses, even if they are split across tokens', async () => {
    const own = 'Xy9-harmless-looking'
    const key = 'sk-planted0123456789abcdef'
    const planted = [key, own, 'ada@example.org', '+44 20 7946 0958', '4111 1111 1111 1111', '12345678901']
    const said = `${planted.join(', ')} and ${Buffer.from(key).toString('base64')} on 2026-11-22 at 10:30, order 1001`
    const { url, tenant } = await simulate([
      {
        match: {},
        reply: {
          tokens: Array.from(said),
          gate: { decision: 'rewrite', reason: planted.join(' ') },
          actions: [{ actionName: own }],
          presentation: { messages: planted, buttons: [own] },
        },
      },
    ])
    const client = clientOf({ url, tenant } as Simulator)
    const { err } = await recorded(
      file,
      url,
      async (baseUrl) => {
        await turn({ ...client, baseUrl }, { message: `I am ${planted.join('; ')}`, stream: true })
        await fetch(`${baseUrl}/api/v1/operations`, { headers: { authorization: `Bearer ${key}` } })
      },
      ['--redact', own],
    )
    const text = readFileSync(file, 'utf8')
    const [rule] = replyRulesIn(file)
    const recordedText = rule?.reply.tokens?.join('') ?? ''

    for (const secret of [...planted, Buffer.from(key).toString('base64')])
      expect(recordedText).not.toContain(secret)
    for (const secret of [...planted, client.key, Buffer.from(key).toString('base64'), '7946', '4111'])
      expect(text).not.toContain(secret)
    expect(recordedText).toMatch(
      /^\[api-key\], \[redacted\], \[email\], \[phone\], \[number\], \[(?:phone|number)\] and .+ on 2026-11-22 at 10:30, order 1001$/,
    )
    expect(rule?.match).toEqual({ nth: 1 })
    expect(err).toMatch(/redacted: .*\d × api-key.*\d × email/)
  })

  it('notes unknown members of a presentation, and records delays on request', async () => {
    const service = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          response: 'Look.',
          conversation_id: 'c1',
          credits_used: 0.12345,
          presentation: { version: 1, messages: ['Look.'], karussell: [{ bild: 'x' }] },
        }),
      )
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    open.push(service)
    const address = service.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    await recorded(file, url, (baseUrl) => turn({ baseUrl, key: 'none', agent: 'a' }, { message: 'Hi' }), [
      '--timing',
    ])

    expect(readFileSync(file, 'utf8')).toContain('# Left out of the presentation: karussell.')
    expect(replyRulesIn(file)[0]?.reply).toEqual({
      text: 'Look.',
      presentation: { messages: ['Look.'] },
      credits: 0.123,
    })
  })

  it('parses compressed responses, forwards an incomplete body as incomplete, and counts turns without a response', async () => {
    const reply = JSON.stringify({ response: 'Packed.', conversation_id: 'c1', credits_used: 1 })
    const [packed, seen] = [gzipSync(reply), [] as string[]]
    const service = createServer((request, response) => {
      seen.push(request.url ?? '')
      const [, agent] = /([a-z]+)$/.exec(request.url ?? '') ?? []
      if (agent === 'waits') return
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length })
      if (agent === 'whole') response.end(packed)
      else response.write(packed.subarray(0, 5), () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    open.push({ close: () => (service.closeAllConnections(), service.close()) })
    const address = service.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/below/`
    const { err } = await recorded(file, url, async (baseUrl) => {
      const client = { baseUrl, key: 'none' }
      expect(await turn({ ...client, agent: 'whole' }, { message: 'One' })).toBe(reply)
      await expect(turn({ ...client, agent: 'broken' }, { message: 'Two' })).rejects.toThrow('terminated')
      void turn({ ...client, agent: 'waits' }, { message: 'Three' }).catch(() => undefined)
      while (seen.length < 3) await new Promise((resolve) => setImmediate(resolve))
    })

    expect(seen).toEqual(['whole', 'broken', 'waits'].map((agent) => `/below/api/v1/chat/${agent}`))
    expect(replyRulesIn(file)).toEqual([
      { match: { message: 'One', nth: 1 }, reply: { text: 'Packed.', credits: 1 } },
    ])
    expect(err).toContain('Left out without a response: 1 turn.')
    expect(err).toContain('Turn left out: its response was not a JSON object.')
  })

  it('writes no file if nothing was recorded', async () => {
    const { url, tenant } = await simulate([])
    const out = join(folder, 'nothing.yaml')
    const words = [
      '--base-url',
      url,
      '--agent',
      tenant.agents.paused,
      '--api-key',
      'env:KEY',
      '--message',
      'Hi',
    ]
    const { code, err } = await run(['replies', 'record', ...words, '--out', out], {
      env: { KEY: tenant.keys.main },
    })

    expect([code, existsSync(out)]).toEqual([2, false])
    expect(err).toContain('stored while AI replies were paused')
  })

  it.each([
    [['--message', 'Hi', '--listen'], /--listen and --message cannot be combined/],
    [['--message', 'Hi'], /--message needs --agent, and --api-key/],
    [[], /give --message, or --listen/],
    [
      ['--message', 'Hi', '--agent', 'a', '--api-key', 'sk-plain'],
      /--api-key does not accept a secret itself/,
    ],
    [['--listen', '--redact', 'abc'], /give at least 4 characters/],
    [['--listen', '--redact', 'actionName'], /a word of the reply file format/],
    [['--listen', '--out', '/no/such/folder/file.yaml'], /cannot be written \(ENOENT\)/],
  ])('%j ends with exit code 2 and one line', async (words, line) => {
    const { code, err } = await run(['replies', 'record', '--base-url', 'http://127.0.0.1:9', ...words])

    expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1])
    expect(err).toMatch(line)
  })
})
