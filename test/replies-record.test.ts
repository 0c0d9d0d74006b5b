/** Records another server: the recorder does not depend on choices of the simulator. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../cli/process.testkit.ts'
import { replyRulesIn } from '../cli/simulate/reply-file.ts'
import { createSimulator, type ReplyRule } from '../simulator/index.ts'
import { hasPython, startOtherServer, type OtherServer } from './other-server/start.ts'

if (!hasPython) console.warn('skipped: the other server needs python3, which is not on this machine')

describe.skipIf(!hasPython)('a conversation with a server that is not ours', () => {
  let server: OtherServer
  let folder: string
  beforeAll(async () => {
    server = await startOtherServer()
    folder = mkdtempSync(join(tmpdir(), 'touchstone-replies-'))
  })
  afterAll(async () => {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What is recorded of one message, reported twice where there is no error. */
  async function recorded(agent: string): Promise<{ err: string; code: number; list: readonly ReplyRule[] }> {
    const { target } = server
    const key = target.principals.find(({ name }) => name === 'main')?.bearer ?? ''
    const out = join(folder, `${agent}.yaml`)
    const words = [
      '--agent',
      agent,
      '--api-key',
      'env:KEY',
      '--message',
      'Hi.',
      '--message',
      'And?',
      '--stream',
    ]
    const { code, err } = await run(
      ['replies', 'record', '--base-url', target.baseUrl, ...words, '--out', out],
      { env: { KEY: key } },
    )
    return { code, err, list: replyRulesIn(out) }
  }

  /** The events of the first turn in a simulator that runs what was recorded. */
  async function execution(replyRules: readonly ReplyRule[]): Promise<string> {
    const simulator = await createSimulator({ replyRules })
    const { tenant, url } = simulator
    const answer = await fetch(`${url}/api/v1/chat/${tenant.agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': 'k1' },
      body: '{"message":"Hi.","stream":true}',
    })
    const text = await answer.text()
    await simulator.close()
    return text
  }

  test.for([
    ['mario', ['"token":"m"', 'heard “Hi.” and nods 👍🏽.\\nNext?', '"credits_used":0.']],
    ['toad', ['"response":"toad (']],
    ['yoshi', ['"actionName":"look_up","success":false', '"response":"yoshi (']],
    ['peach', ['"decision":"rewrite"', 'too frank', '"response":"Let us talk about something else."']],
  ] as const)('%s is run again as it spoke', async ([agent, parts]) => {
    const { code, list } = await recorded(agent)
    const text = await execution(list)

    expect([code, list.map(({ match }) => match)]).toEqual([
      0,
      [
        { message: 'Hi.', nth: 1 },
        { message: 'And?', nth: 2 },
      ],
    ])
    for (const part of parts) expect(text).toContain(part)
  })

  test('a failed stream is recorded with its error, and ends the recording', async () => {
    const { code, err, list } = await recorded('bowser')

    expect([code, list.length]).toEqual([3, 1])
    expect(err).toContain('turn 1 of 2 failed with an error, which is recorded')
    expect(await execution(list)).toMatch(/"type":"token".*\n\n.*"type":"error"/s)
  })
})
