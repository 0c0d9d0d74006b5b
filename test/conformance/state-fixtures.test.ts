/** States that a standing agent or message is in: the suite uses exactly what the target file declares. */
import { describe, expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import type { StateId } from '../../spec/index.ts'
import { chatScenarios, type Target } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { simulatedRun } from '../simulated-run.ts'

/** The states of chat for which a message may be declared. */
const states = [
  'chat.paused',
  'credits.exhausted',
  'key.uncertain',
  'plan.disallows',
  'server.500',
  'server.503',
  'stream.error',
  'stream.gate',
  'stream.tool',
  'turn.slow',
  'workflow.current',
] as const satisfies readonly StateId[]

describe('every scenario that needs a state sends the message that leads to it', () => {
  test.concurrent.for(states)('%s', async (state) => {
    const own = Object.entries(chatScenarios).filter(
      ([id, { needs }]) =>
        needs?.states?.includes(state) ||
        (['credits.exhausted', 'stream.tool'].includes(state) &&
          needs?.enters?.some((one) => one === state)) ||
        (state === 'stream.error' && id === 'streaming-events/failed-turn'),
    )
    const entered =
      state === 'key.uncertain' ? [['uncertain', chatScenarios['idempotency-uncertain/refused']]] : []
    const scenarios = Object.fromEntries([...own, ...entered]) as typeof chatScenarios
    const message = `Lead me to ${state}.`
    const { journal } = await simulatedRun({}, { scenarios }, (target: Target): Target => ({
      ...target,
      profile: 'exhaustive',
      states: { ...target.states, [state]: { provide: 'fixture', message } },
    }))
    const sending = journal.filter(({ request }) => Buffer.from(request.body).includes(message))
    expect(Object.keys(scenarios).filter((id) => !sending.some(({ scenario }) => scenario === id))).toEqual(
      [],
    )
  })
})

describe('a turn that ends uncertain by itself', () => {
  const scenarios = { uncertain: chatScenarios['idempotency-uncertain/refused'] } as typeof chatScenarios

  test.concurrent.for([
    ['uncertain', []],
    ['released', ['uncertain/IDEM-UNCERTAIN-STATUS', 'uncertain/IDEM-UNCERTAIN-CODE']],
  ] as const)('is judged where the key of a failed turn is %s', async ([key, broken]) => {
    const simulator = await createSimulator({ interpretations: { 'GAP-FAILED-STREAM': key } })
    try {
      const target = simulatorTarget(simulator)
      const agent = simulator.tenant.agents.failing
      const states: Target['states'] = { 'key.uncertain': { provide: 'fixture', agent } }
      const { record } = await runSuite({ ...target, states }, { seed: 1, scenarios })
      expect(record.findings.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check)).toEqual(
        broken,
      )
      const passed = record.findings.filter(({ verdict }) => verdict === 'pass')
      expect(passed.length).toBe(key === 'uncertain' ? 3 : 0)
    } finally {
      await simulator.close()
    }
  })
})
