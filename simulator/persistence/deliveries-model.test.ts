/** Processes that end at any moment, on one store that is away now and then, while events go to endpoints that fail. */
import { expect, it } from 'vitest'
import { createMemoryStore } from '../store/memory.ts'
import { StoreAway, type Document, type Store } from '../store/store.ts'
import { hook, ids, receive, type Receiver, type Script } from '../webhooks/delivery/outbox.testkit.ts'
import { createRandom, type Random } from '../tenant/random.ts'
import { live, type Life } from './life.testkit.ts'

const answers: readonly Script[] = [200, 200, 500, 'cut']
const paths = ['/0', '/1', '/2'] as const

interface ObservedStore {
  readonly store: Store
  away: boolean
  /** Ids of deliveries that were written at any time. */
  readonly durable: Set<string>
}

interface Run {
  readonly observed: ObservedStore
  readonly receiver: Receiver
  readonly random: Random
  life: Life
  lives: number
  /** Of what was delivered when a process ended: how often it had come by then. */
  readonly delivered: Map<string, number>
}

const idOf = ({ body }: Document): string => (JSON.parse(body) as [number, { id: string }])[1].id
const stateOf = ({ body }: Document): string => (JSON.parse(body) as [number, { state: string }])[1].state

function createObservedStore(): ObservedStore {
  const store = createMemoryStore()
  const commit = store.commit.bind(store)
  const observed: ObservedStore = { store, away: false, durable: new Set() }
  store.commit = async (owner, commits) => {
    if (observed.away) throw new StoreAway('the disk is full')
    for (const { put } of commits)
      for (const document of put) if (document.kind === 'delivery') observed.durable.add(idOf(document))
    return commit(owner, commits)
  }
  return observed
}

const timesOf = ({ receiver }: Run, id: string): number => ids(receiver).filter((each) => each === id).length

async function endAndBegin(run: Run): Promise<void> {
  const { observed, life } = run
  life.die()
  for await (const document of observed.store.documents('kept'))
    if (document.kind === 'delivery' && stateOf(document) === 'delivered')
      run.delivered.set(idOf(document), timesOf(run, idOf(document)))
  observed.away = false
  run.life = await live(observed.store)
  run.lives++
}

/** Whoever moves time ahead waits for the store. */
async function advance({ life: { tenant }, observed, random }: Run, mostMs: number): Promise<unknown> {
  return observed.away ? undefined : tenant.clock.advance(random.below(mostMs))
}

const steps: readonly ((run: Run) => unknown)[] = [
  ({ life }) => life.tenant.emit('leads.submit'),
  ({ life }) => life.tenant.emit('leads.submit'),
  ({ life }) => life.tenant.clock.yield(),
  (run) => advance(run, 3_000),
  (run) => advance(run, 600_000),
  ({ receiver, random }) =>
    receiver.script(paths[random.below(3)] ?? '/0', answers[random.below(answers.length)] ?? 200),
  ({ receiver }) => receiver.release(200),
  ({ observed, random }) => (observed.away = random.below(3) === 0),
  endAndBegin,
]

async function runIt(seed: string): Promise<Run> {
  const [observed, receiver, random] = [createObservedStore(), await receive(), createRandom(seed)]
  const life = await live(observed.store)
  const run: Run = { observed, receiver, random, life, lives: 1, delivered: new Map() }
  for (const path of paths) hook(life.tenant, `${receiver.url}${path}`)
  await life.writeBehind.flush()
  for (let n = 0; n < 60; n++) await steps[random.below(steps.length)]?.(run)
  await endAndBegin(run)
  receiver.release(200)
  for (let n = 0; n < 3; n++) await run.life.tenant.clock.advance(3_600_000)
  return run
}

it.each(['a', 'b', 'c'])(
  'whenever its processes end, whatever was durable is delivered or fails three times, and nothing else: %s',
  async (seed) => {
    const run = await runIt(seed)
    const [came, all] = [new Set(ids(run.receiver)), run.life.tenant.deliveries()]
    expect(new Set(all.map(({ id }) => id))).toEqual(run.observed.durable)
    expect(run.observed.durable).toEqual(run.observed.durable.union(came))
    for (const { id, state, attempts } of all) {
      expect(['delivered', 'failed'], id).toContain(state)
      const isRight = state === 'delivered' ? came.has(id) : attempts.length === 3
      expect(isRight, `${id} ${state} after ${attempts.length} attempts`).toBe(true)
    }
    for (const [id, times] of run.delivered) expect(timesOf(run, id), `${id} after its end`).toBe(times)
    expect(run.life.tenant.state.outbox.counts).toMatchObject({ waiting: 0, inFlight: 0 })
    expect(run.lives).toBeGreaterThan(3)
    expect(run.delivered.size).toBeGreaterThan(3)
    run.life.die()
  },
)
