import { expect, test } from 'vitest'
import { createSimulator, type Tenant } from '../../index.ts'
import { postTurn } from '../../testing/project.testkit.ts'
import { entryState } from './entry-state.ts'

type Is = 'none' | 'run' | 'replay' | 'stored-while-paused'
type Case = readonly [outcome: string, is: Is, charged: number, (tenant: Tenant) => void, ...sent: object[]]

const once = { message: 'Hello' }
const streamed = { ...once, stream: true }
const other = { message: 'Other' }
const nothing = (): void => undefined
const cut = (when: 'before' | 'after') =>
  function cut(tenant: Tenant) {
    tenant.addNetworkFaults([{ do: { is: 'cut', when } }])
  }

const cases: readonly Case[] = [
  ['run', 'run', 1, nothing, once],
  ['run', 'run', 1, nothing, streamed],
  ['replay', 'replay', 0, nothing, once, once],
  ['replay', 'replay', 0, (tenant) => tenant.setModifications({ faults: ['replay-unmarked'] }), once, once],
  ['replay', 'replay', 0, nothing, streamed, streamed],
  ['conflict', 'none', 0, nothing, once, other],
  ['uncertain', 'none', 0, (tenant) => tenant.markUncertain({ key: 'a' }), once],
  ['stored-while-paused', 'stored-while-paused', 0, (tenant) => tenant.pause('plain'), once],
  ['refused', 'none', 0, (tenant) => tenant.setCredits('main', 0), once],
  ['failed', 'none', 0, (tenant) => tenant.fail({ status: 500 }), once],
  ['broken', 'none', 0, cut('before'), once],
  ['broken', 'run', 1, cut('after'), streamed],
  ['broken', 'none', 0, ({ barriers }) => barriers.crash({ at: 'before-run' }), once],
  ['broken', 'run', 0, ({ barriers }) => barriers.crash({ at: 'before-commit' }), once],
]

test.for(cases)('an entry says %s, %s, %i charged', async ([outcome, is, charged, prepare, ...sent]) => {
  await using simulator = await createSimulator({ vendor: 'acme' })
  const { tenant } = simulator
  prepare(tenant)
  for (const body of sent)
    await postTurn(tenant, 'a', body)
      .then((response) => response.text())
      .catch(() => undefined)
  const [last] = await tenant.journal.waitFor({ after: sent.length - 1 })
  if (!last) throw new Error('the journal has no entry')
  const shown = entryState(last)
  const ran = { credits: { used: 1 }, conversationId: expect.any(String) as string }
  expect(shown).toMatchObject({
    ...(outcome === 'run' && ran),
    outcome,
    turn: { is, charged },
    faults: tenant.faults,
    networkFaults: prepare.name === 'cut' ? [{ is: 'cut' }] : [],
    operation: 'chat',
    agentId: tenant.agents.plain,
    idempotencyKey: 'a',
  })
})
