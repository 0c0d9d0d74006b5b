/** The whole standard profile: against the simulator, and against `prism mock` on the same document. */
import { simulatorTarget } from '../cli/simulator-target.ts'
import { createSimulator } from '../simulator/index.ts'
import { runSuite, type Run, type Target } from '../suites/index.ts'
import { compare, type Comparison, type Side } from './measure.ts'
import { prismCommand, prismProbe } from './peers.ts'
import { freePort, startServer } from './server-process.ts'

async function timed(work: () => Promise<Run>, expected: string): Promise<number> {
  const began = performance.now()
  const { record } = await work()
  if (record.conformance !== expected)
    throw new Error(
      `a run that was expected to be ${expected} was ${record.conformance}; the figures would mean nothing`,
    )
  return performance.now() - began
}

const ours: Side = {
  name: 'simulator',
  async once() {
    const simulator = await createSimulator({})
    try {
      return await timed(() => runSuite(simulatorTarget(simulator), { seed: 1 }), 'conformant')
    } finally {
      await simulator.close()
    }
  },
}

/** Prism has no control protocol and no states: what needs them is left out, the rest is judged. */
function prismTarget(baseUrl: string, like: Target): Target {
  return { ...like, name: 'prism mock', kind: 'staging', baseUrl, control: null, states: {}, optIn: [] }
}

async function prismSide(): Promise<{ side: Side; stop: () => Promise<void> }> {
  const port = await freePort()
  const server = await startServer(prismCommand(port), port, prismProbe)
  const simulator = await createSimulator({})
  const target = prismTarget(server.url, simulatorTarget(simulator))
  await simulator.close()
  const impatient = { ...target, timing: { clock: 'real', answerTimeoutMs: 250 } } as const
  const unpaced = { ...impatient, budgets: { ...impatient.budgets, requestsPerMinute: 1e9 } }
  const once = () => timed(() => runSuite(unpaced, { seed: 1 }), 'nonconformant')
  return { side: { name: 'prism mock', once }, stop: () => server.stop() }
}

export async function profile(rounds: number): Promise<Comparison> {
  const { side, stop } = await prismSide()
  try {
    return await compare('the whole standard profile', ours, side, rounds)
  } finally {
    await stop()
  }
}
