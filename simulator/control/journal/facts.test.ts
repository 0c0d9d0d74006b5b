import { expect, test } from 'vitest'
import { createSimulator, type Tenant } from '../../index.ts'
import { entryState } from './entry-state.ts'

interface Sent {
  readonly key: string
  readonly body?: object
}

const cases: readonly [outcome: string, prepare: (tenant: Tenant) => void, ...sent: Sent[]][] = [
  ['run', () => undefined, { key: 'a' }],
  ['run', () => undefined, { key: 'a', body: { stream: true } }],
  ['replay', () => undefined, { key: 'a' }, { key: 'a' }],
  ['replay', () => undefined, { key: 'a', body: { stream: true } }, { key: 'a', body: { stream: true } }],
  ['conflict', () => undefined, { key: 'a' }, { key: 'a', body: { message: 'Other' } }],
  ['uncertain', (tenant) => tenant.markUncertain({ key: 'a' }), { key: 'a' }],
  ['stored-while-paused', (tenant) => tenant.pause('plain'), { key: 'a' }],
  ['refused', (tenant) => tenant.setCredits('main', 0), { key: 'a' }],
  ['failed', (tenant) => tenant.fail({ status: 500 }), { key: 'a' }],
  [
    'broken',
    (tenant) => tenant.addNetworkFaults([{ do: { is: 'cut', when: 'after' } }]),
    { key: 'a', body: { stream: true } },
  ],
]

test.for(cases)('an entry says %s', async ([outcome, prepare, ...sent]) => {
  await using simulator = await createSimulator({ vendor: 'acme' })
  const { tenant, url } = simulator
  prepare(tenant)
  for (const { key, body } of sent)
    await fetch(`${url}/api/v1/chat/${tenant.agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': key },
      body: JSON.stringify({ message: 'Hello', ...body }),
    })
      .then((response) => response.text())
      .catch(() => undefined)
  const [last] = await tenant.journal.waitFor({ after: sent.length - 1 })
  if (!last) throw new Error('the journal has no entry')
  const shown = entryState(last, tenant.identifiers)
  const ran = { credits: { used: 1 }, conversationId: expect.any(String) as string }
  expect(shown).toMatchObject({
    ...(outcome === 'run' && ran),
    outcome,
    operation: 'chat',
    agentId: tenant.agents.plain,
    idempotencyKey: 'a',
  })
})
