/** One request before the run: whether anything answers, and whether the key and the agent seem to be right. */
import type { Target } from '../target/target.ts'
import type { Wire } from '../wire/wire.ts'
import { chatRequest, type Letterhead } from './request.ts'
import { ordinary } from './settings.ts'

/** Nothing answers at the base address. */
export class TargetUnreachable extends Error {
  override name = 'TargetUnreachable'
}

const patienceMs = 5_000

/**
 * Any HTTP answer will do. Sends a body without message and key, which no conforming server bills. Returns a
 * warning for a person where the answer speaks of a wrong key or agent: that is no verdict.
 */
export async function preflight(target: Target, wire: Wire, letterhead: Letterhead): Promise<string | null> {
  const principal = ordinary(target)
  const { plain: agent } = target.agents
  const setting = { agent, secondAgent: '', message: '', cast: principal ? { self: principal } : {} }
  const asked = { raw: '{}', patience: { timeoutMs: patienceMs }, ...(principal ? {} : { as: null }) }
  const { response, failure } = await wire.send(chatRequest('preflight', asked, setting, letterhead), {
    turns: 0,
  })
  if (!response)
    throw new TargetUnreachable(
      `nothing answers at ${target.baseUrl} (${failure?.kind}: ${failure?.message}); check target.baseUrl and that the service is up`,
    )
  if (!principal || ![401, 403, 404].includes(response.status)) return null
  return `before the run, a request of the principal "${principal.name}" for the agent ${agent} was answered ${response.status}: check the key and the agent id`
}
