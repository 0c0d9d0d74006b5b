/** What `service-client` runs, reads and follows. */
import { describe, expect, test } from 'vitest'
import { tenant, environment, type, chatWords, sent, body, ofTheContract, typing } from './typed.ts'

typing()

describe('execute', () => {
  const erase = ['execute', 'customers.erase', '--input', '{"customerId": "cus_1001", "reason": "duplicate"}']
  const confirmed = [...erase, ...ofTheContract, '--confirm']
  const customer = '{"customers": [{"name": "Ida", "email": "ida@example.com"}]}'
  const imports = ['execute', 'customers.import', '--input', customer, ...ofTheContract]

  test('a write without a key is refused in the words of the command line', async () => {
    const { code, err } = await type(['execute', 'notes.create', '--input', '{"text": "x"}'])
    expect([code, err]).toEqual([1, expect.stringContaining('(here: --idempotency-key KEY)')])
  })

  test('CLI-CONFIRM: what is destructive needs --confirm here, and stays held by the service all the same', async () => {
    const without = await type([...erase, ...ofTheContract])
    expect({ code: without.code, sent: sent() }).toEqual({ code: 2, sent: [] })
    expect(without.err).toContain('add --confirm')

    const { code, out, err } = await type(confirmed)
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ status: 'pending_approval', approval: { state: 'pending' } })
    expect(err).toContain('Held for the approval of the owner')
    expect(sent()).toEqual([
      'POST /api/v1/operation-executions/customers.erase',
      expect.stringMatching(/^GET \/api\/v1\/approvals\/appr_/),
    ])
    expect(body(0)).toEqual({ input: { customerId: 'cus_1001', reason: 'duplicate' } })
  })

  test.each([
    ['approved', 0, 'completed'],
    ['rejected', 1, 'failed'],
  ] as const)(
    'held work that was %s is reported by approvals, and by the same command again',
    async (decision, code, status) => {
      const words = [...confirmed, '--json']
      const { approval_id: id } = JSON.parse((await type(words)).out) as { approval_id: string }
      expect(await type(['approvals', id])).toMatchObject({ code: 3 })

      tenant.decide(id, decision)
      const read = await type(['approvals', id, '--json'])
      expect([read.code, JSON.parse(read.out)]).toEqual([code, expect.objectContaining({ state: decision })])
      const again = await type(words)
      expect([again.code, JSON.parse(again.out)]).toEqual([code, expect.objectContaining({ status })])
    },
  )

  test.each([
    ['customers.import', customer, 0, 'completed'],
    ['orders.archive', '{"before": "2026-01-01"}', 1, 'failed'],
    ['reports.build', '{"period": "2026-10"}', 1, 'cancelled'],
  ])('%s is followed to the end of its task', async (operation, input, code, state) => {
    const { out, ...ended } = await type(['execute', operation, '--input', input, ...ofTheContract])

    expect(ended.code).toBe(code)
    expect(JSON.parse(out)).toMatchObject({ status: 'accepted', task: { state } })
    expect(sent()).toHaveLength(2)
  })

  test.each([
    ['tasks', imports, { status: 'accepted', task_id: expect.any(String) }],
    ['approvals', confirmed, { status: 'pending_approval', approval_id: expect.any(String) }],
  ])(
    'where %s cannot be read the receipt is printed, so that somebody can go on',
    async (name, words, receipt) => {
      tenant.addNetworkFaults([
        { on: { method: 'GET', path: `/api/v1/${name}/` }, do: { is: 'cut', when: 'before' } },
      ])
      const { code, out, err } = await type(words)

      expect({ code, receipt: JSON.parse(out) }).toEqual({ code: 4, receipt })
      expect(err).toContain('got no answer')
    },
  )
})

test('a service that shows what the contract leaves open in other ways is understood as well', async () => {
  tenant.setModifications({
    interpretations: {
      'GAP-RECEIPT-SHAPE': 'nested',
      'GAP-RECEIPT-STATUS': 'always',
      'GAP-APPROVAL-FIELDS': 'receipt',
      'GAP-TASK-FIELDS': 'receipt',
      'GAP-DISCOVERY-SHAPE': 'bare',
      'GAP-AGENT-LISTING': 'route',
      'GAP-OPERATION-REFUSAL': 'receipt',
      'GAP-ERROR-CODE-MEMBER': 'sentence',
    },
  })
  const input = '{"customerId": "cus_1001", "reason": "law"}'
  const erase = ['execute', 'customers.erase', '--input', input, '--idempotency-key', 'erase-1', '--confirm']
  const held = await type(erase)
  const { approval } = JSON.parse(held.out) as { approval: { approval: { id: string } } }
  const { id } = approval.approval
  tenant.decide(id, 'approved')
  const input2 = '{"before": "2026-01-01"}'
  const archived = await type([
    'execute',
    'orders.archive',
    '--input',
    input2,
    '--idempotency-key',
    'archive-1',
  ])
  tenant.setCredits('main', 0)
  const poor = await type(chatWords())

  expect([held.code, (await type(['approvals', id])).code, (await type(erase)).code]).toEqual([3, 0, 0])
  expect([archived.code, JSON.parse(archived.out)]).toEqual([
    1,
    expect.objectContaining({ task: expect.objectContaining({ state: 'failed' }) }),
  ])
  expect(poor).toMatchObject({ code: 1, err: expect.stringContaining('402 INSUFFICIENT_CREDITS') })
  expect((await type(['whoami'])).out).toMatch(/^agents +not known.*\noperations +22$/m)
  expect((await type(['billing', 'usage'], { env: environment('noBilling') })).err).toMatch(/^error: 403/)
})

test.each([
  [['subscription'], { status: expect.any(String), plan: { displayName: expect.any(String) } }],
  [['usage'], { credits: { remaining: 1_000_000 } }],
  [['plans'], expect.arrayContaining([expect.objectContaining({ displayName: expect.any(String) })])],
  [
    ['invoices', '--limit', '2'],
    [expect.anything(), expect.anything()],
  ],
])('billing %j prints what it reads', async (words, shown) => {
  const { code, out } = await type(['billing', ...words])

  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject(shown)
})
