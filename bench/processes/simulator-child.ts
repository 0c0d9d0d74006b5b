/** A simulator without rate limits and with enough credits. Sends what a client needs. */
import { createSimulator } from '../../simulator/index.ts'
import { handleRequests } from './child-requests.ts'

export interface RunningSimulator {
  url: string
  port: number
  key: string
  agent: string
  session: string
  control: string
}

const tokens = Array.from({ length: 20 }, (_, at) => `token ${at + 1} `)

const { url, port, tenant } = await createSimulator({
  unlimited: true,
  control: true,
  replyRules: [
    { match: { message: 'in one go' }, reply: { tokens } },
    { match: { message: 'one by one' }, reply: { tokens, tokenDelayMs: 1 } },
  ],
})
tenant.setCredits('main', 1e9)
/** Pauses streams after their first token until `release`. */
const holding = process.argv.includes('hold') ? tenant.barriers.hold({ at: 'after-token:1' }) : null

handleRequests({ release: () => holding?.release() })
const running: RunningSimulator = {
  url,
  port,
  key: tenant.keys.main,
  agent: tenant.agents.plain,
  session: tenant.sessions.main,
  control: `${url}/_sim/v1/tenants/${tenant.id}`,
}
process.send?.(running)
