import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { rejudge, serverScenarios } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { readJournal, writeJournal } from '../../bundle/journal/codec.ts'
import { troubles } from '../simulated-run.ts'

test.for(['cookie', 'bearer'] as const)(
  'with a session in a %s deliveries are judged as they come and again from the journal, and no webhook is left',
  async (session) => {
    const simulator = await createSimulator({ interpretations: { 'GAP-SESSION': session } })
    const target = simulatorTarget(simulator)
    const run = await runSuite(target, { seed: 1, only: ['delivery/*', 'retries/recovered'] })
    const left = simulator.tenant.state.webhooks.size
    await simulator.close()

    expect(troubles(run)).toEqual([])
    expect(left).toBe(0)
    const came = run.journal.filter(({ inbound, name }) => inbound && name === 'arrived')
    expect(came.length).toBeGreaterThan(3)
    const journal = readJournal(writeJournal(run.journal))
    expect(rejudge({ ...run, journal }, serverScenarios, target).findings).toEqual(run.record.findings)
  },
)

test('a run that is ended early removes the webhooks that it made, and its ledger says so', async () => {
  const simulator = await createSimulator()
  const ended = new AbortController()
  const open = new Set<string>()
  const run = await runSuite(simulatorTarget(simulator), {
    seed: 1,
    only: ['log/live'],
    signal: ended.signal,
    onCreate: ({ id }) => {
      open.add(id)
      ended.abort()
    },
    onGone: (id) => void open.delete(id),
  })
  const left = simulator.tenant.state.webhooks.size
  await simulator.close()
  expect({ left, open: [...open], stuck: run.record.scenarioRuns }).toEqual({ left: 0, open: [], stuck: [] })
  expect(run.record.findings.every(({ reason }) => reason === 'interrupted')).toBe(true)
})
