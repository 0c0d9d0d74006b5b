/** Which webhooks get an event, and the sample event that somebody asks for. */
import type { World } from '../world/world.ts'
import type { Occurrence } from './delivery.ts'
import type { Webhook } from './webhook.ts'

export function isFor({ rules }: World, webhook: Webhook, { agent, event }: Occurrence): boolean {
  return webhook.agent === agent && rules.isOn(webhook) && rules.selects(webhook, event)
}

/** A sample event, asked for by somebody. */
export function sampleFor(world: World, webhook: Webhook): Occurrence {
  const { rules, clock } = world
  const event = rules.testEvent(webhook)
  const payload = rules.payload(event, world)
  return {
    event,
    agent: webhook.agent,
    at: clock.date(),
    payload: rules.testFlag ? { ...payload, _test: true } : payload,
    test: true,
  }
}
