/** The half of a driver that sends single chat requests, and keeps how each is made anew: see insist.ts. */
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { chatRequest, sameAgain, type RequestDefaults } from './request.ts'
import type { ScenarioContext } from '../scenario-context.ts'

type Send = (outgoing: Outgoing) => Promise<Exchange>

export function repeatableHalf(
  context: ScenarioContext,
  requestDefaults: RequestDefaults,
  send: Send,
): Pick<Driver, 'chat' | 'resend'> {
  return {
    async chat(name, request = {}) {
      const { setting } = context
      const { as = 'self' } = request
      const exchange = await send(chatRequest(name, request, setting, requestDefaults))
      const again = (other: string): Outgoing =>
        chatRequest(other, withFreshKey(request, exchange, context), setting, requestDefaults)
      context.repeatable.push({ exchange, setting, as, again })
      return exchange
    },
    async resend(name, original, change = {}) {
      const { setting } = context
      const { as = 'self' } = change
      const again = (other: string): Outgoing => sameAgain(other, original, change, setting, requestDefaults)
      const exchange = await send(again(name))
      // A refusal may be stored under the key of the original: only an accepted one can be repeated.
      if (original.response?.status === 200) context.repeatable.push({ exchange, setting, as, again })
      return exchange
    },
  }
}

/** A key that an earlier request of the scenario has used is part of the request; any other is another each time. */
function withFreshKey(request: ChatRequest, { id }: Exchange, { exchanges }: ScenarioContext): ChatRequest {
  const { idempotency_key: key, ...rest } = request
  if (typeof key !== 'string') return request
  const isUsed = exchanges.some((one) => one.id < id && asked(one)?.['idempotency_key'] === key)
  return isUsed ? request : rest
}
