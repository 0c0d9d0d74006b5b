/** Which webhook event a scenario is run with. */
import { quietEvent } from '../../scenario/webhook-driver.ts'
import { createHash } from 'node:crypto'
import { eventState, webhookEvents, type WebhookEvent } from '../../../spec/index.ts'
import type { Target } from '../../config/target.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import { barred, provisionOf } from '../states/state-providers.ts'
import type { Permits } from '../states/providers/provider.ts'
import type { Needs } from '../../scenario/scenario.ts'

const all = Object.keys(webhookEvents) as WebhookEvent[]

/** How the event of a scenario is chosen: a scenario that runs alone takes the first possible one. */
export function choosingFor(scenario: string, { timing }: Target, permits: Permits): Choosing {
  return { permits, ...(timing.clock === 'real' ? { spread: scenario } : {}) }
}

export interface Choosing {
  permits?: Permits
  /** Scenarios that run side by side are spread over the possible events by this text. */
  spread?: string
}

/** Of `any`, the first that can be had here. */
export function chooseEvent(
  { event }: Needs,
  target: Target,
  { permits = {}, spread }: Choosing,
): WebhookEvent | ScenarioEnded {
  if (event === undefined) return quietEvent
  if (event !== 'any') return barred(eventState(event), target, permits) ?? event
  const possible = all.filter((one) => barred(eventState(one), target, permits) === null)
  const loud = possible.length > 1 ? possible.filter((one) => one !== quietEvent) : possible
  const chosen = loud[spread === undefined ? 0 : numberOf(spread) % loud.length]
  return (
    chosen ?? notExercised('state-not-provided', 'no webhook event can be triggered; declare one `event.*`')
  )
}

/** The only agent that an event happens to, where one is declared. */
export function agentOfEvent(event: WebhookEvent, target: Target): string | undefined {
  return provisionOf(eventState(event), target).agent
}

/** Scenarios of one lane would get the deliveries of each other. A turn may trigger more than the event that it is for. */
export function laneOfEvent(event: WebhookEvent, target: Target): string {
  const { provide } = provisionOf(eventState(event), target)
  return provide === 'fixture' ? provide : event
}

function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
