import { array, assert, asyncProperty, boolean, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { listsOf } from '../operations/account-data.ts'
import type { TaskPace } from '../operations/operation.ts'
import { taskSteps } from '../operations/tasks.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Document } from '../store/store.ts'
import type { EntryKind } from '../tenant/changes.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { live, type Life } from './life.testkit.ts'
import { keyTextOf } from './page.ts'
import { codecs } from './codecs/codecs.ts'
import { workerIn, type Worker } from './worker.testkit.ts'

interface Work extends Life, Worker {}
const inLife = (life: Life): Work => ({ ...life, ...workerIn(life.tenant) })

/** Kinds of what operations leave. */
const kinds = ['data', 'run', 'approval', 'task'] as const satisfies readonly EntryKind[]

function idsOf({ operations }: TenantState, kind: (typeof kinds)[number]): readonly string[] {
  const { data, runs, approvals, tasks } = operations
  if (kind !== 'data') return [...{ run: runs, approval: approvals, task: tasks }[kind].keys()]
  const books = [...data.values()].flatMap((one) => Object.values(listsOf(one)).map(({ book }) => book))
  return [...data.keys(), ...books.flatMap((book) => [...book.keys()])]
}

/** Everything of these kinds as it would be written now. */
function writtenBy(state: TenantState): readonly string[] {
  const lines = kinds.flatMap((kind) =>
    idsOf(state, kind).map((id) => {
      const written = codecs[kind].write(state, id)
      return `${kind} ${id} ${written?.place.number} ${written && keyTextOf(written.body, written.place)}`
    }),
  )
  return lines.toSorted()
}

async function storedBy(documents: AsyncIterable<Document>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { kind, id, place, body } of documents)
    if (kinds.some((one) => one === kind)) lines.push(`${kind} ${id} ${place} ${body}`)
  return lines.toSorted()
}

/** What the owner may not do, such as a step of a task that has ended, changes nothing. */
function may(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

type Act = (work: Work, nth: number) => unknown

const nthOf = (rows: readonly { readonly id: string }[], nth: number): string =>
  rows[nth % Math.max(1, rows.length)]?.id ?? ''
const operationActs: readonly (readonly [name: string, act: Act])[] = [
  'notes.create',
  'customers.import',
  'customers.erase',
  'agent_design.draft',
  'calendar.connect',
  'orders.archive',
  'payments.refund',
].map((operation) => [operation, ({ run }, nth) => run(operation, `${operation} ${nth}`)])
const ownerSteps: readonly (readonly [name: string, act: Act])[] = taskSteps.map((step) => [
  step,
  ({ tenant }, nth) => may(() => tenant.stepTask(nthOf(tenant.tasks(), nth), step)),
])

const paces: readonly TaskPace[] = [
  { by: 'reads', reads: 2 },
  { by: 'time', stepMs: 700 },
  { by: 'at-once' },
  { by: 'hand' },
]

const acts: Readonly<Record<string, Act>> = {
  ...Object.fromEntries([...operationActs, ...ownerSteps]),
  document: ({ upload }, nth) => upload('document', `document ${nth}`),
  spreadsheet: ({ upload }, nth) => upload('spreadsheet', `spreadsheet ${nth}`),
  'prepare a spreadsheet': ({ prepare }, nth) => prepare('spreadsheet', `spreadsheet ${nth}`),
  'ask for a renewal': async ({ tenant, prepare, upload }, nth) => {
    const key = `document ${nth}`
    await prepare('document', key)
    may(() => tenant.lapseUpload({ key: `${key} prepare` }))
    await upload('document', key)
  },
  approve: ({ tenant }, nth) => may(() => tenant.decide(nthOf(tenant.approvals(), nth), 'approved')),
  reject: ({ tenant }, nth) => may(() => tenant.decide(nthOf(tenant.approvals(), nth), 'rejected')),
  'read a task': ({ tenant, ask }, nth) => ask('GET', `/api/v1/tasks/${nthOf(tenant.tasks(), nth)}`),
  wait: ({ tenant }) => tenant.clock.advance(1_000),
  doubt: ({ tenant }) => tenant.markRunUncertain({ key: 'unseen' }),
  reset: ({ tenant }) => tenant.reset(),
}

const drawn = array(record({ act: constantFrom(...Object.keys(acts)), nth: nat(2), ends: boolean() }), {
  minLength: 10,
  maxLength: 40,
})

test('whatever is done, what is written step by step is what the tenant would write of itself', async () => {
  await assert(
    asyncProperty(drawn, constantFrom(...paces), async (course, pace) => {
      const store = createMemoryStore()
      // So few that rows are let go on the way.
      const options = { tasks: pace, retention: { rows: { most: 3, ageMs: Infinity } } }
      let work = inLife(await live(store, options))
      for (const { act, nth, ends } of course) {
        await acts[act]?.(work, nth)
        await work.writeBehind.flush()
        expect(await storedBy(store.documents('kept'))).toEqual(writtenBy(work.tenant.state))
        if (!ends) continue
        const before = writtenBy(work.tenant.state)
        work.die()
        work = inLife(await live(store, options))
        expect(writtenBy(work.tenant.state)).toEqual(before)
      }
      work.die()
    }),
    { numRuns: 12 },
  )
})
