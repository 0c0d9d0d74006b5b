import { expect, test } from 'vitest'
import { withoutOperationsDialect } from '../../cli/simulator-target.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import type { Many } from '../../suites/scenario/exchange-names.ts'
import { scenario, type Driver } from '../../suites/scenario/scenario.ts'
import { check, inconclusive } from '../../suites/scenario/expect.ts'
import { discoveredIn } from '../../suites/operations/assertions/pointers/pointer-discovery.ts'
import { decisionIn, shownIn, taskStateIn } from '../../suites/operations/assertions/task.ts'
import type { Target } from '../../suites/index.ts'
import { simulatedRun, troubles } from '../simulated-run.ts'

const found = (got: unknown, wanted: unknown) =>
  check(JSON.stringify(got) === JSON.stringify(wanted), JSON.stringify(wanted), JSON.stringify(got) ?? 'none')

/** How often the operation of a scenario was done more after it than before. */
async function growth<N extends string>(t: Driver<N>, name: Many<N>, between: () => Promise<unknown>) {
  const before = (await t.effectOf(name, t.operation)) ?? 0
  await between()
  return ((await t.effectOf(name, t.operation)) ?? 0) - before
}

const once = scenario({
  title: 'a write is discovered, done, sent again with its key, and done again',
  exchanges: ['list', 'first', 'again', 'race[]', 'effect[]'],
  needs: { operation: { receipt: 'completed', write: true, effect: true } },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    await t.discover('list')
    const key = t.key()
    const input = t.inputOf(t.operation)
    const requests = [
      { key: 'together', input },
      { key: 'together', input },
    ]
    const grown = await growth(t, 'effect', async () => {
      await t.execute('first', t.operation, { key, input })
      await t.execute('again', t.operation, { key, input })
      await t.executeTogether('race', t.operation, requests)
    })
    t.note('grown', grown)
  },
  judge: {
    'OPS-LIST': ({ list }, { dialect }) => {
      const { schema } =
        discoveredIn(list, dialect, ['notes.list'])?.find(({ id }) => id === 'notes.list') ?? {}
      return found(typeof schema, 'object')
    },
    'EXEC-RETRY-ONE-RUN': ({ first, again, race }, { notes }) =>
      first && again && race.length === 2 ? found(notes['grown'], 2) : inconclusive(''),
  },
})

const task = scenario({
  title: 'a task is found from its receipt, brought to its end, and shows its effect',
  exchanges: ['receipt', 'task', 'effect[]'],
  needs: { operation: { receipt: 'accepted', write: true, effect: true } },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    const grown = await growth(t, 'effect', async () => {
      const taskId = t.taskOf(await t.execute('receipt', t.operation)) ?? ''
      await t.enter('task.finished', { taskId, operationId: t.operation.id })
      await t.read('task', `/api/v1/tasks/${taskId}`)
    })
    t.note('grown', grown)
  },
  judge: {
    'TASK-STATE': ({ task }, { dialect, notes }) =>
      found([taskStateIn(task, dialect), notes['grown']], ['completed', 1]),
  },
})

const decided = (decision: 'approved' | 'rejected') =>
  scenario({
    title: `an approval is found from its receipt, and ${decision}`,
    exchanges: ['receipt', 'before', 'after', 'again', 'effect[]'],
    needs: { operation: { receipt: 'pending_approval', effect: true } },
    cost: { requests: 12, turns: 0 },
    async run(t) {
      const key = t.key()
      const input = t.inputOf(t.operation)
      const grown = await growth(t, 'effect', async () => {
        const approvalId = t.approvalOf(await t.execute('receipt', t.operation, { key, input })) ?? ''
        const path = `/api/v1/approvals/${approvalId}`
        await t.read('before', path)
        await t.enter(`approval.${decision}`, { approvalId })
        await t.read('after', path)
        await t.execute('again', t.operation, { key, input })
      })
      t.note('grown', grown)
    },
    judge: {
      'APPR-APPROVED': ({ before, after }, { dialect, notes }) =>
        found(
          [decisionIn(before, dialect), decisionIn(after, dialect), notes['grown']],
          ['pending', decision, decision === 'approved' ? 1 : 0],
        ),
    },
  })

const listings = scenario({
  title: 'what has no route in the contract is read where the target declares it',
  exchanges: ['invoices', 'agents'],
  cost: { requests: 4, turns: 0 },
  async run(t) {
    await t.show('invoices', 'invoices', { limit: 2 })
    await t.show('agents', 'agents')
  },
  judge: {
    'BILL-INVOICES-LIMIT': ({ invoices, agents }) => {
      const shown = JSON.stringify([shownIn(invoices), shownIn(agents)])
      return found([shown.split('"inv_').length - 1, shown.includes('"agents":[')], [2, true])
    },
  },
})

const upload = scenario({
  title: 'a spreadsheet is uploaded in two steps, each with its key, and stored once',
  exchanges: ['prepared', 'finalized', 'again', 'stored[]'],
  needs: { optIn: ['writes'] },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    const sheet = { kind: 'spreadsheet', fileName: 'a.csv', contentType: 'text/csv' } as const
    const way = t.dialect.uploads?.spreadsheet ?? {}
    const bytes = new TextEncoder().encode('name,total\nAda,3\n')
    const [key, last] = [t.key(), t.key()]
    const before = (await t.effectOf('stored', way)) ?? 0
    const prepared = await t.upload('prepared', { ...sheet, step: 'prepare', key, bytes })
    await t.upload('finalized', { ...sheet, step: 'finalize', key: last, bytes, prepared })
    await t.upload('again', { ...sheet, step: 'finalize', key: last, bytes, prepared })
    t.note('grown', ((await t.effectOf('stored', way)) ?? 0) - before)
  },
  judge: {
    'UPL-RETRY-ONCE': ({ finalized, again }, { notes }) =>
      found([finalized.response?.status, again.response?.status, notes['grown']], [202, 202, 1]),
  },
})

const planned = {
  'o/once': once,
  'o/task': task,
  'o/approved': decided('approved'),
  'o/rejected': decided('rejected'),
}

const others: NonNullable<SimulatorOptions['interpretations']> = {
  'GAP-DISCOVERY-SHAPE': 'bare',
  'GAP-EXECUTION-BODY': 'bare',
  'GAP-RECEIPT-SHAPE': 'nested',
  'GAP-RECEIPT-STATUS': 'always',
  'GAP-TASK-FIELDS': 'receipt',
  'GAP-APPROVAL-FIELDS': 'receipt',
  'GAP-APPROVAL-CONTINUES': 'again',
  'GAP-OPERATION-REFUSAL': 'receipt',
}
const declared: typeof others = {
  ...others,
  'GAP-OPERATION-KEY': 'body',
  'GAP-BILLING-ROUTES': 'operations',
  'GAP-AGENT-LISTING': 'route',
}

const run = async (
  interpretations: NonNullable<SimulatorOptions['interpretations']>,
  scenarios: Readonly<Record<string, typeof once>>,
  change: (target: Target) => Target = (target) => target,
) => {
  const ran = await simulatedRun({ interpretations }, { scenarios }, change)
  return {
    passed: ran.record.findings.filter(({ verdict }) => verdict === 'pass').length,
    not: troubles(ran),
  }
}

test('under the interpretations of the simulator everything is found', async () => {
  expect(await run({}, { ...planned, 'o/listings': listings, 'o/upload': upload })).toEqual({
    passed: 7,
    not: [],
  })
})

test('under other interpretations everything is found where the target declares it', async () => {
  const scenarios = { ...planned, 'o/listings': listings, 'o/upload': upload }
  expect(await run({ ...declared, 'GAP-RECEIPT-STATUS': 'by-status' }, scenarios)).toEqual({
    passed: 7,
    not: [],
  })
})

test.for([[{}], [others]] as const)(
  'without a dialect a search finds it under %o',
  async ([interpretations]) => {
    expect(await run(interpretations, planned, withoutOperationsDialect)).toEqual({ passed: 5, not: [] })
  },
)
