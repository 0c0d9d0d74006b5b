import { describe, expect, test, vi } from 'vitest'
import { buttonsOf, copied, createCaller, errorOf } from '../chat/caller.testkit.ts'
import { createMemoryStore } from '../store/memory.ts'
import { StoreAway, type Store } from '../store/store.ts'
import { createWriteBehind } from './write-behind.ts'
import { live, type Life } from './life.testkit.ts'

const hello = { message: 'hello', idempotency_key: 'k' }

/** What one life does, and what the next one sees of it. */
type Row = readonly [
  title: string,
  before: (life: Life) => unknown,
  after: (life: Life) => unknown,
  sees: unknown,
]

const press =
  (key: string) =>
  async (life: Life): Promise<string> => {
    const said = await life.say({ message: 'menu', idempotency_key: 'offer' }, { agent: 'workflow' })
    const [button] = buttonsOf(said)
    if (!button) return 'no button'
    const body = { message: 'go', idempotency_key: key, interaction: copied(button) }
    return errorOf(await life.say(body, { agent: 'workflow' })) || 'pressed'
  }

const rows: readonly Row[] = [
  [
    'a completed turn',
    ({ say }) => say(hello),
    async ({ say }) => (await say(hello)).headers['x-service-idempotent-replay'],
    'true',
  ],
  [
    'what a turn cost',
    ({ tenant, say }) => (tenant.setCredits('main', 10), say(hello)),
    ({ tenant }) => tenant.credits('main'),
    9,
  ],
  [
    'a turn in flight as uncertain',
    inFlight,
    async ({ say }) => errorOf(await say(hello)),
    'OUTCOME_UNCERTAIN',
  ],
  ['nothing held for a turn in flight', inFlight, ({ tenant }) => tenant.credits('main'), 1_000_000],
  [
    'a refused turn as never sent',
    ({ tenant, say }) => (tenant.setCredits('main', 0), say(hello)),
    async ({ tenant, say }) => (tenant.setCredits('main', 5), (await say(hello)).status),
    200,
  ],
  [
    'a button that can still be pressed',
    (life) => life.say({ message: 'menu', idempotency_key: 'offer' }, { agent: 'workflow' }),
    press('first'),
    'pressed',
  ],
  ['a button that was pressed', press('first'), press('second'), 'WORKFLOW_INTERACTION_STALE'],
  [
    'a paused agent',
    ({ tenant }) => tenant.pause('plain'),
    ({ tenant }) => tenant.state.agents.get(tenant.agents.plain)?.paused,
    true,
  ],
  ['a plan', ({ tenant }) => tenant.setPlan('main', 'trial'), ({ tenant }) => tenant.plan('main'), 'trial'],
  [
    'faults and interpretations',
    ({ tenant }) =>
      tenant.setModifications({
        faults: ['replay-unmarked'],
        interpretations: { 'GAP-OLDER-SERVED': 'yes' },
      }),
    ({ tenant }) => [tenant.faults, tenant.interpretations['GAP-OLDER-SERVED']],
    [['replay-unmarked'], 'yes'],
  ],
  [
    'reply rules, the newest first',
    ({ tenant }) => tenant.addReplyRules([{ match: {}, reply: { text: 'mine' } }]),
    async ({ say }) => (await say(hello)).body['response'],
    'mine',
  ],
  [
    'an outage until it is cleared',
    ({ tenant }) => tenant.fail({ status: 503, times: Infinity }),
    async ({ say }) => (await say(hello)).status,
    503,
  ],
  [
    'the moment of a frozen clock',
    ({ tenant }) => tenant.clock.advance(5_000),
    ({ tenant }) => tenant.clock.now() - Date.UTC(2030, 0, 1),
    5_000,
  ],
]

async function inFlight({ tenant, say }: Life): Promise<void> {
  const barrier = tenant.barriers.hold({ at: 'before-commit', key: 'k' })
  void say(hello).catch(() => undefined)
  await barrier.reached()
}

describe('after the end of its process a tenant', () => {
  test.for(rows)('keeps %s', async ([, before, after, sees]) => {
    const store = createMemoryStore()
    const first = await live(store)
    await before(first)
    // As after a request: settings have no marks of their own.
    first.tenant.state.changes.mark('account', 'none')
    await first.writeBehind.flush()
    first.die()
    const second = await live(store)
    expect(await after(second)).toEqual(sees)
    second.die()
  })
})

test('ids of a later life are not those of an earlier one', async () => {
  const store = createMemoryStore()
  const ids: unknown[] = []
  for (const key of ['a', 'b', 'c']) {
    const life = await live(store)
    ids.push((await life.say({ ...hello, idempotency_key: key })).body['conversation_id'])
    await life.writeBehind.flush()
    life.die()
  }
  expect(new Set(ids).size).toBe(3)
})

/** A store that is away until it is let back. */
function flaky(store: Store): Store & { away: boolean } {
  const commit = store.commit.bind(store)
  const made = Object.assign(store, { away: false })
  store.commit = async (...given) => {
    if (made.away) throw new StoreAway('the disk is full')
    return commit(...given)
  }
  return made
}

test('what cannot be written now is written once the store is back', async () => {
  const store = flaky(createMemoryStore())
  const first = await live(store)
  await first.writeBehind.flush()
  store.away = true
  await first.say(hello)
  const settled = first.tenant.state.changes.settled()
  while (first.writeBehind.away === null) await first.tenant.clock.yield()
  expect(first.writeBehind.away.message).toBe('the disk is full')
  store.away = false
  await settled
  expect(first.writeBehind.away).toBeNull()
  first.die()
  const second = await live(store)
  expect((await second.say(hello)).headers['x-service-idempotent-replay']).toBe('true')
  second.die()
})

test('the end of a stream waits until its turn is durable', async () => {
  const store = flaky(createMemoryStore())
  const life = await live(store)
  await life.writeBehind.flush()
  store.away = true
  const said = life.say({ ...hello, stream: true })
  const first = await Promise.race([said.then(() => 'ended'), life.tenant.clock.yield().then(() => 'open')])
  store.away = false
  expect([first, (await said).events.at(-1)?.['type']]).toEqual(['open', 'done'])
  life.die()
})

test('a store counts as away no longer than there is something to write to it', async () => {
  const store = flaky(createMemoryStore())
  const life = await live(store)
  await life.writeBehind.flush()
  store.away = true
  await life.say(hello)
  await vi.waitFor(() => expect(life.writeBehind.away).not.toBeNull())
  life.die()
  await vi.waitFor(() => expect(life.writeBehind.away).toBeNull())
})

test('a claim that was lost is lost to whoever wrote under it, and not to whoever took the tenant up anew', async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly string[]>()]
  const commit = vi.fn<Store['commit']>().mockResolvedValue([])
  commit.mockImplementationOnce(() => (asked.resolve(), answered.promise))
  const [store, lost] = [Object.assign(createMemoryStore(), { commit }), vi.fn()]
  const writeBehind = createWriteBehind({ store, owner: 'me', lost, defect: lost })
  const { tenant } = createCaller()
  const [older, newer] = [writeBehind.keep('t'), writeBehind.keep('t')]
  older.begin(tenant.state, 1)
  await asked.promise
  older.end(new Error('taken up anew'))
  newer.begin(tenant.state, 2)
  answered.resolve(['t'])
  await newer.changes.settled()
  expect(commit).toHaveBeenCalledTimes(2)
  expect(lost).not.toHaveBeenCalled()
  tenant.close()
})

test('reply rules are written when they change, and not with each commit', async () => {
  const life = await live(createMemoryStore())
  const encoded = vi.fn(() => 'mine')
  const rule = {
    match: {},
    reply: {
      get text() {
        return encoded()
      },
    },
  }
  life.tenant.addReplyRules([rule])
  const counts: number[] = []
  for (let commits = 0; commits < 3; commits++) {
    life.tenant.state.changes.mark('account', 'none')
    await life.writeBehind.flush()
    counts.push(encoded.mock.calls.length)
  }
  expect(counts).toEqual([1, 1, 1])
  life.die()
})

test('an outage of an API key is kept by its role', async () => {
  const store = createMemoryStore()
  const life = await live(store)
  const { keys } = life.tenant
  life.tenant.fail({ status: 503, apiKey: keys.main })
  await life.writeBehind.flush()
  const kept = await Array.fromAsync(store.documents('kept'))
  expect(JSON.stringify(kept)).not.toContain(keys.main)
  expect((await life.say(hello)).status).toBe(503)
  life.die()
})
