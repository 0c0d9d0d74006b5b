import { describe, expect, test } from 'vitest'
import { isObject } from '../json.ts'
import type { TaskStep } from '../operations/tasks.ts'
import { createMemoryStore } from '../store/memory.ts'
import { live, type Life } from './life.testkit.ts'
import { workerIn, type Worker } from './worker.testkit.ts'

interface Work extends Life, Worker {}
const inLife = (life: Life): Work => ({ ...life, ...workerIn(life.tenant) })

/** What one life does, and what the next one sees of it. */
type Row = readonly [
  title: string,
  before: (work: Work) => unknown,
  after: (work: Work) => unknown,
  sees: unknown,
]

const stateOf = ({ tenant }: Work): unknown => tenant.tasks()[0]?.state
const codeOf = ({ error }: Awaited<ReturnType<Worker['run']>>): unknown =>
  isObject(error) ? error['code'] : undefined

/** Runs an operation, and takes its task so many steps on. */
const begun = (operation: string, ...steps: readonly TaskStep[]) => {
  return async ({ tenant, run }: Work): Promise<void> => {
    tenant.setTaskPace({ by: 'hand' })
    await run(operation, 'k')
    for (const step of steps) tenant.stepTask(tenant.tasks()[0]?.id ?? '', step)
  }
}

const tasks: readonly Row[] = [
  ['a task that is queued', begun('customers.import'), stateOf, 'queued'],
  ['a task that runs', begun('customers.import', 'next'), stateOf, 'running'],
  ['a task that asks for input', begun('calendar.connect', 'next', 'next'), stateOf, 'input_required'],
  ['a task that is completed', begun('customers.import', 'finish'), stateOf, 'completed'],
  ['a task that failed', begun('orders.archive', 'finish'), stateOf, 'failed'],
  ['a task that was called off', begun('customers.import', 'cancel'), stateOf, 'cancelled'],
  ['no effect of a task that runs', begun('customers.import'), ({ count }) => count('customers.list'), 8],
  [
    'the work of a task, which ends later',
    begun('customers.import'),
    async (work) => {
      work.tenant.stepTask(work.tenant.tasks()[0]?.id ?? '', 'finish')
      return [await work.count('customers.list'), await work.run('customers.import', 'k')]
    },
    [9, expect.objectContaining({ status: 'accepted' })],
  ],
  [
    'how long a task has been in its state',
    async ({ tenant, run }) => {
      tenant.setTaskPace({ by: 'time', stepMs: 1_000 })
      await run('customers.import')
      await tenant.clock.advance(1_500)
    },
    async (work) => [stateOf(work), (await work.tenant.clock.advance(500)).fired.length, stateOf(work)],
    ['running', 1, 'completed'],
  ],
  [
    'no task waiting that is overdue',
    async ({ tenant, run }) => {
      tenant.setTaskPace({ by: 'time', stepMs: 1_000 })
      await run('customers.import')
      tenant.clock.set({ mode: 'frozen', at: tenant.clock.now() + 60_000 })
    },
    async (work) => (await work.tenant.clock.yield(), stateOf(work)),
    'completed',
  ],
]

/** Has an erasure held, and decides about it. */
const held = (decision?: 'approved' | 'rejected') => {
  return async ({ tenant, run }: Work): Promise<void> => {
    await run('customers.erase', 'k')
    if (decision) tenant.decide(tenant.approvals()[0]?.id ?? '', decision)
  }
}

const shownApproval = async ({ tenant, ask, count }: Work): Promise<unknown> => {
  const { state } = await ask('GET', `/api/v1/approvals/${tenant.approvals()[0]?.id ?? ''}`)
  return [state, await count('customers.erasures')]
}

const approvals: readonly Row[] = [
  ['an approval that is pending', held(), shownApproval, ['pending', 0]],
  ['an approval that was given, and its work', held('approved'), shownApproval, ['approved', 1]],
  ['an approval that was refused', held('rejected'), shownApproval, ['rejected', 0]],
  [
    'the moment when nobody can approve any more',
    async (work) => {
      work.tenant.setModifications({ interpretations: { 'GAP-APPROVAL-STATES': 'lapsing' } })
      await held()(work)
      await work.tenant.clock.advance(86_400_000)
    },
    shownApproval,
    ['expired', 0],
  ],
  [
    'the work that is approved in another life',
    held(),
    async (work) => {
      await held('approved')(work)
      return shownApproval(work)
    },
    ['approved', 1],
  ],
]

async function inFlight({ tenant, run }: Work): Promise<void> {
  tenant.state.rules.runMs = 50
  void run('notes.create', 'k').catch(() => undefined)
  while (tenant.clock.pending === 0) await tenant.clock.yield()
}

const runs: readonly Row[] = [
  [
    'a run that completed',
    ({ run }) => run('notes.create', 'k'),
    async ({ run, count }) => [(await run('notes.create', 'k'))['status'], await count('notes.list')],
    ['completed', 1],
  ],
  [
    'a run that failed',
    ({ run }) => run('orders.export', 'k'),
    async ({ run, tenant }) => [
      codeOf(await run('orders.export', 'k')),
      tenant.state.operations.dataOf([...tenant.state.accounts.keys()][0] ?? '').audit.count(),
    ],
    ['NO_ORDER_SYSTEM', 1],
  ],
  [
    'a run in doubt',
    ({ run }) => run('payments.refund', 'k'),
    async ({ run, count }) => [codeOf(await run('payments.refund', 'k')), await count('payments.list')],
    ['OUTCOME_UNCERTAIN', 1],
  ],
  [
    'a run that took a while',
    async (work) => {
      await inFlight(work)
      await work.writeBehind.flush()
      await work.tenant.clock.advance(50)
    },
    async ({ run, count }) => [(await run('notes.create', 'k'))['status'], await count('notes.list')],
    ['completed', 1],
  ],
  [
    'a run that was under way as in doubt',
    inFlight,
    async ({ run, count }) => [codeOf(await run('notes.create', 'k')), await count('notes.list')],
    ['OUTCOME_UNCERTAIN', 0],
  ],
  [
    'a draft',
    ({ run }) => run('agent_design.draft'),
    async ({ run }) => (await run('agent_setup.inspect'))['data'],
    expect.objectContaining({ draft: expect.objectContaining({ tone: 'formal' }) }),
  ],
]

const uploads: readonly Row[] = [
  [
    'an upload that was prepared',
    ({ prepare }) => prepare('spreadsheet', 'k'),
    async ({ upload, count }) => [
      (await upload('spreadsheet', 'k'))['status'],
      await count('knowledge.list'),
    ],
    ['accepted', 1],
  ],
  [
    'an upload that is stored',
    ({ upload }) => upload('spreadsheet', 'k'),
    async ({ upload, count }) => [
      (await upload('spreadsheet', 'k'))['status'],
      await count('knowledge.list'),
    ],
    ['accepted', 1],
  ],
  [
    'an upload that lapsed, with its renewal',
    async ({ tenant, upload, prepare }) => {
      await prepare('document', 'k')
      tenant.lapseUpload({ key: 'k prepare' })
      await upload('document', 'k')
    },
    async ({ tenant, upload, count }) => {
      const before = codeOf(await upload('document', 'k'))
      tenant.decide(tenant.approvals()[0]?.id ?? '', 'approved')
      return [before, (await upload('document', 'k'))['status'], await count('knowledge.list')]
    },
    ['UPLOAD_RENEWAL_INCOMPLETE', 'completed', 1],
  ],
]

describe('after the end of its process a tenant keeps', () => {
  test.for([...tasks, ...approvals, ...runs, ...uploads])('%s', async ([, before, after, sees]) => {
    const store = createMemoryStore()
    const first = inLife(await live(store))
    await before(first)
    // As after a request: settings have no marks of their own.
    first.tenant.state.changes.mark('account', 'none')
    await first.writeBehind.flush()
    first.die()
    const second = inLife(await live(store))
    expect(await after(second)).toEqual(sees)
    second.die()
  })
})

test('rows that were let go for newer ones are counted on, in the next life as well', async () => {
  const store = createMemoryStore()
  const options = { retention: { rows: { most: 2, ageMs: Infinity } } }
  const counts = async ({ run, count }: Work): Promise<unknown> => [
    await count('notes.list'),
    await count('knowledge.list'),
    (await run('knowledge.list', 'read', { kind: 'spreadsheet' }))['data'],
  ]
  const first = inLife(await live(store, options))
  for (const nth of [1, 2, 3]) {
    await first.run('notes.create', `note ${nth}`)
    await first.upload('spreadsheet', `file ${nth}`)
  }
  const expected = [
    3,
    3,
    expect.objectContaining({ count: 3, files: [expect.anything(), expect.anything()] }),
  ]
  expect(await counts(first)).toEqual(expected)
  await first.writeBehind.flush()
  first.die()
  const second = inLife(await live(store, options))
  expect(await counts(second)).toEqual(expected)
  await second.run('notes.create', 'note 4')
  expect(await second.count('notes.list')).toBe(4)
  second.die()
})
