import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { buttonsOf, copied, createCaller } from './caller.testkit.ts'

const agent = 'workflow'

function createFlow() {
  const caller = createCaller()
  let sent = 0
  const say = (more: JsonObject, key = `k${++sent}`) =>
    caller.say({ message: 'go on', idempotency_key: key, ...more }, { agent })
  return { ...caller, say }
}

describe('a Workflow', () => {
  test('offers buttons, goes on when one is pressed, and ends', async () => {
    const { say } = createFlow()
    let said = await say({})
    const { conversation_id: conversation = null } = said.body
    expect(buttonsOf(said).length).toBeGreaterThanOrEqual(2)
    expect(said.body).toMatchObject({ presentation: { version: 1, images: [{}], media: [{}] } })
    for (let press = 1; press <= 4; press++) {
      const [button = {}] = buttonsOf(said)
      said = await say({ interaction: copied(button), conversation_id: conversation })
      expect(said).toMatchObject({ status: 200, body: { conversation_id: conversation } })
      expect(buttonsOf(said).length > 0).toBe(press < 4)
    }
    expect(said.body).not.toHaveProperty('presentation')
  })

  test('refuses a button that a later presentation or a press superseded, for nothing', async () => {
    const { say, tenant } = createFlow()
    const first = await say({})
    const { conversation_id: conversation = null } = first.body
    const second = await say({ conversation_id: conversation })
    const [old = {}] = buttonsOf(first)
    const [current = {}, beside = {}] = buttonsOf(second)
    const credits = tenant.credits('main')
    const stale = { status: 409, body: { error: 'WORKFLOW_INTERACTION_STALE' } }
    expect(await say({ interaction: copied(old) })).toMatchObject(stale)
    expect(tenant.credits('main')).toBe(credits)
    expect(await say({ interaction: copied(current) })).toMatchObject({ status: 200 })
    expect(await say({ interaction: copied(beside) })).toMatchObject(stale)
  })

  test('lets one of two presses at once go on', async () => {
    const { say } = createFlow()
    const [one = {}, two = {}] = buttonsOf(await say({}))
    const presses = await Promise.all([one, two].map((button) => say({ interaction: copied(button) })))
    expect(presses.map(({ status }) => status)).toEqual([200, 409])
  })

  test('replays a press with its presentation', async () => {
    const { say } = createFlow()
    const [button = {}] = buttonsOf(await say({}))
    const pressed = await say({ interaction: copied(button) }, 'press')
    const again = await say({ interaction: copied(button) }, 'press')
    expect(again.body).toEqual(pressed.body)
    expect(again.headers).toHaveProperty('x-service-idempotent-replay', 'true')
  })

  test('does not know a button of another conversation, or one that was never offered', async () => {
    const { say } = createFlow()
    const [button = {}] = buttonsOf(await say({}))
    const other = await say({})
    const foreign = { interaction: copied(button), conversation_id: other.body['conversation_id'] ?? null }
    expect(await say(foreign)).toMatchObject({ status: 409 })
    const forged = { ...copied(button), payload: 'choice-99' }
    expect(await say({ interaction: forged })).toMatchObject({ status: 409 })
  })

  test('whose turn died can be pressed again with a new key', async () => {
    const { say, tenant } = createFlow()
    const [button = {}] = buttonsOf(await say({}))
    const barrier = tenant.barriers.crash({ at: 'before-run' })
    await expect(say({ interaction: copied(button) })).rejects.toThrow('drop')
    barrier.release()
    expect(await say({ interaction: copied(button) })).toMatchObject({ status: 200 })
  })
})

describe('a pause', () => {
  test('stores a message, refuses an interaction, and ends', async () => {
    const { say, tenant } = createFlow()
    const [button = {}] = buttonsOf(await say({}))
    tenant.pause(agent)
    const stored = await say({ stream: true })
    expect(stored.events).toHaveLength(1)
    expect(stored.body).toMatchObject({
      response: '',
      credits_used: 0,
      customer_message: { ai_reply: 'paused' },
    })
    expect(await say({ interaction: copied(button) })).toMatchObject({ body: { error: 'AI_REPLY_PAUSED' } })
    tenant.resume(agent)
    expect(await say({ interaction: copied(button) })).toMatchObject({ status: 200 })
  })
})

test('buttons of conversations with long messages are bounded by bytes', () => {
  const { offers } = createCaller().tenant.state
  const said = 'x'.repeat(400)
  const conversation = { id: 'c', agent: 'a', account: 'b', turns: 1, presses: 0, current: 1, said }
  for (let n = 0; n < 50_000; n++) offers.set(`${n}`, { conversation, presentation: 1 })
  expect(offers.size).toBeLessThan(45_000)
})
