/** A simulator that nobody runs out of: no limit on turns, and credits for all of them. Sends what a client needs. */
import { createSimulator } from '../simulator/index.ts'
import { answerQuestions } from './questions.ts'

export interface Running {
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
/** Streams stop after their first token, until they are let go. */
const holding = process.argv.includes('hold') ? tenant.barriers.hold({ at: 'after-token:1' }) : null

answerQuestions({ release: () => holding?.release() })
const running: Running = {
  url,
  port,
  key: tenant.keys.main,
  agent: tenant.agents.plain,
  session: tenant.sessions.main,
  control: `${url}/_sim/v1/tenants/${tenant.id}`,
}
process.send?.(running)
