/** One request before the run: whether anything answers, and whether the key and the agent seem to be right. */
import { ConfigurationError } from '../../config/configuration-error.ts'
import type { Target } from '../../config/target.ts'
import { header } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Wire } from '../../wire/wire.ts'
import { chatRequest, type RequestDefaults } from '../requests/request.ts'
import { ordinary } from '../states/settings.ts'

/** What speaks against the key, the agent or the address of a target file. */
export interface Doubt {
  status: number
  /** For a person. */
  words: string
}

/** Nothing answers at the base address. */
export class TargetUnreachable extends Error {
  override name = 'TargetUnreachable'
}

/** With what a process takes to start, under five seconds: nobody should wait longer to hear that nothing is there. */
const timeoutMs = 4_000

/**
 * Any HTTP answer will do but a redirect, which is not followed. Sends a body without message and key, which no
 * conforming server bills. Returns a doubt where the answer speaks of a wrong key, agent or address: that is no
 * verdict. Throws TargetUnreachable, and a ConfigurationError for a redirect.
 */
export async function preflight(
  target: Target,
  wire: Wire,
  requestDefaults: RequestDefaults,
): Promise<Doubt | null> {
  const principal = ordinary(target)
  const { plain: agent } = target.agents
  const exchange = await sendProbe('preflight', target, wire, requestDefaults)
  const { response, failure } = exchange
  // Ended early, or out of budget, before it was asked: that is for the record to say, and not about the target.
  if (failure?.kind === 'budget' || failure?.kind === 'aborted') return null
  if (!response) throw new TargetUnreachable(unreachable(target, `${failure?.kind}: ${failure?.message}`))
  const [location] = header(exchange, 'location')
  if (response.status >= 300 && response.status < 400)
    throw new ConfigurationError(
      `${target.baseUrl} redirects (${response.status}) to ${location ?? 'nowhere'}; give the address of the service itself as target.baseUrl`,
    )
  const remedy = remedies[response.status]
  if (!principal || remedy === undefined) return null
  const { status } = response
  const words = `before the run, a request of the principal "${principal.name}" for the agent ${agent} was answered ${status}: ${remedy}`
  return { status, words }
}

/** Sends a body without message and key, which no conforming server bills. */
export function sendProbe(
  name: string,
  target: Target,
  wire: Wire,
  requestDefaults: RequestDefaults,
): Promise<Exchange> {
  const principal = ordinary(target)
  const { plain: agent } = target.agents
  const setting = { agent, secondAgent: '', message: '', cast: principal ? { self: principal } : {} }
  const asked = { raw: '{}', timeouts: { timeoutMs }, ...(principal ? {} : { as: null }) }
  return wire.send(chatRequest(name, asked, setting, requestDefaults), { turns: 0 })
}

const remedies: Readonly<Record<number, string>> = {
  401: 'check the key',
  403: 'check that the key may chat, and with this agent',
  404: 'check the id of the agent, and that target.baseUrl is the address before /api/v1',
  405: 'check target.baseUrl, something else seems to listen there',
  501: 'check target.baseUrl, something else seems to listen there',
}

/** Returns what to check; a proxy comes first, because the target was never seen if the proxy does not answer. */
function unreachable({ baseUrl, proxy }: Pick<Target, 'baseUrl' | 'proxy'>, failure: string): string {
  return proxy === null
    ? `nothing answers at ${baseUrl} (${failure}); check target.baseUrl and that the service is up`
    : `${baseUrl} cannot be reached through target.proxy (${failure}); check target.proxy and that the proxy is up, then target.baseUrl`
}
