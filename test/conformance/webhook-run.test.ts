import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openGateway } from './gateway.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { rejudge, serverScenarios } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { readJournal, writeJournal } from '../../bundle/journal/codec.ts'
import { troubles } from '../simulated-run.ts'

type Made = { webhook?: string }

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

test.for([
  ['as it asks for one', false, () => true],
  ['once one was made', false, ({ webhook }: Made) => webhook !== undefined],
  ['and one whose answer is lost, too', true, () => false],
] as const)(
  'a run that is ended early removes the webhooks that it made, and its ledger says so: %s',
  async ([, isLost, isTime]) => {
    const simulator = await createSimulator()
    const creates = ({ method, url = '' }: IncomingMessage): boolean =>
      method === 'POST' && url.endsWith('/webhooks')
    const gateway = await openGateway(simulator.url, (_, asked) => (isLost && creates(asked) ? 'lose' : null))
    const ended = new AbortController()
    const open = new Set<string>()
    const run = await runSuite(
      { ...simulatorTarget(simulator), baseUrl: gateway.url },
      {
        seed: 1,
        only: ['log/live'],
        signal: ended.signal,
        onCreate: (made) => {
          open.add(made.id)
          if (isTime(made as Made)) ended.abort()
        },
        onGone: (id) => void open.delete(id),
      },
    )
    const left = simulator.tenant.state.webhooks.size
    await gateway.close()
    await simulator.close()
    expect({ left, open: [...open] }).toEqual({ left: 0, open: [] })
    expect(run.record.scenarioRuns.flatMap(({ stuck }) => stuck)).toEqual([])
    expect(run.record.findings.every(({ reason }) => reason === 'interrupted')).toBe(!isLost)
  },
)
