/**
 * A further key that is refused with 401 may be wrong in the target file. Then it is refused for what it may do, too,
 * which is asked only after such a refusal, so that it costs a conforming target nothing.
 */
import type { Exchange } from '../../wire/exchange.ts'
import { withinScopeOf } from '../outcome/recurrence.ts'
import type { ScenarioContext, ScenarioDeps } from '../scenario-context.ts'
import { readRequest } from './execution-request.ts'

/** What a key with the scope billing_read may always read. */
const usage = '/api/v1/billing/usage'

export async function checkRefusedKeys(
  context: ScenarioContext,
  { wire, requestDefaults }: ScenarioDeps,
): Promise<void> {
  const asked = new Set<string>()
  for (const { exchange, setting, as } of context.repeatable) {
    const sender = as === null ? undefined : setting.cast[as]
    if (as === null || !sender || asked.has(sender.name) || sender.name === setting.cast['self']?.name)
      continue
    if (exchange.response?.status !== 401 || sender.revoked || !sender.scopes.includes('billing_read'))
      continue
    asked.add(sender.name)
    const sent = await wire.send(
      readRequest(withinScopeOf(exchange.name), usage, { as }, setting, requestDefaults),
      {
        turns: 0,
      },
    )
    if (sent.failure?.kind !== 'budget') context.exchanges.push(sent)
  }
}

export function isWrongKey({ request, response }: Exchange, exchanges: readonly Exchange[]): boolean {
  if (response?.status !== 401) return false
  return exchanges.some(
    (one) =>
      one.name.startsWith(withinScopeOf('')) &&
      one.request.principal === request.principal &&
      one.response?.status === 401,
  )
}
