/** A simulator of the package at argv[2], without rate limits and with enough credits. Sends what a client needs. */
import type * as SimulatorModule from '../../simulator/index.ts'

export interface RunningSimulator {
  readonly port: number
  readonly key: string
  readonly agent: string
}

const { createSimulator } = (await import(process.argv[2] ?? '')) as typeof SimulatorModule
const tokens = Array.from({ length: 20 }, (_, at) => `token ${at + 1} `)
const { port, tenant } = await createSimulator({
  unlimited: true,
  replyRules: [
    { match: { message: 'in one go' }, reply: { tokens } },
    { match: { message: 'one by one' }, reply: { tokens, tokenDelayMs: 1 } },
  ],
})
tenant.setCredits('main', 1e9)

process.on('disconnect', () => process.exit())
/** Any question is for the resident set size in bytes. */
process.on('message', () => process.send?.(process.memoryUsage.rss()))
const running: RunningSimulator = { port, key: tenant.keys.main, agent: tenant.agents.plain }
process.send?.(running)
