/** A simulator without a limit on turns. Sends what a client of it needs. */
import { createSimulator } from '../simulator/index.ts'

export interface Running {
  url: string
  key: string
  agent: string
  session: string
  control: string
}

const { url, tenant } = await createSimulator({ unlimited: true, control: true })
const running: Running = {
  url,
  key: tenant.keys.main,
  agent: tenant.agents.plain,
  session: tenant.sessions.main,
  control: `${url}/_sim/v1/tenants/${tenant.id}`,
}
process.send?.(running)
