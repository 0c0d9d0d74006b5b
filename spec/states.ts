import { nearEvents, webhookEvents, type WebhookEvent } from './events.ts'

/**
 * The states of the contract that do not come about by an ordinary request. A suite that needs one asks for
 * it by its id; how it comes about on a given target is declared in the target file.
 */
export interface State {
  means: string
  /** What a conforming server shows on the wire while it holds. */
  probe: string
}

function state(means: string, probe: string): State {
  return { means, probe }
}

type EventState = `event.${WebhookEvent}`

type NearState = `no-event.${WebhookEvent}`

/** One for each webhook event: that something has just happened that comes near it. */
function nearStates(): Readonly<Record<NearState, State>> {
  const rows = Object.entries(nearEvents).map(([name, near]) => [
    `no-event.${name}`,
    state(near, 'A webhook that has selected the event gets nothing.'),
  ])
  return Object.fromEntries(rows) as Record<NearState, State>
}

/** One for each webhook event: that it has just occurred. Entering the state again emits it again. */
function eventStates(): Readonly<Record<EventState, State>> {
  const rows = Object.entries(webhookEvents).map(([name, trigger]) => [
    `event.${name}`,
    state(trigger, 'A webhook that has selected the event gets a delivery.'),
  ])
  return Object.fromEntries(rows) as Record<EventState, State>
}

export const states = {
  'chat.paused': state(
    'AI replies are paused for an agent.',
    'A plain message is answered 200 with an empty `response` and a `customer_message`.',
  ),
  'turn.slow': state(
    'A turn of an agent takes long enough to be seen in flight.',
    'The answer to a fresh turn takes at least 100 ms.',
  ),
  'key.uncertain': state(
    'The outcome of the turn of one idempotency key is not known.',
    'Sending the same request with that key again is answered 409.',
  ),
  'workflow.current': state(
    'A turn left a presentation with at least one button that can be copied.',
    'The reply carries a `presentation` in which a button is found.',
  ),
  'credits.exhausted': state('The credits left do not cover a turn.', 'A fresh turn is answered 402.'),
  'rate.limited': state(
    'A key has used up its requests of the minute.',
    'A request with that key is answered 429.',
  ),
  'server.500': state('The next request runs into a server error.', 'It is answered 500.'),
  'server.503': state('The service is temporarily unavailable.', 'A request is answered 503.'),
  'stream.tool': state('A turn runs a tool.', 'The stream has an `action_start` event.'),
  'stream.gate': state('A safety or policy gate changes a turn.', 'The stream has a `gate_triggered` event.'),
  'stream.error': state('A turn fails while it is streamed.', 'The stream has an `error` event.'),
  'plan.disallows': state('The plan does not allow an agent.', 'A turn with that agent is answered 403.'),
  'webhook.inactive': state(
    'A webhook of an agent was turned off.',
    'The list of webhooks shows it with `is_active: false`.',
  ),
  'approval.approved': state(
    'The owner has approved the held operation of one approval.',
    'The work of that operation shows its effect, at once or when the same request comes again.',
  ),
  'approval.rejected': state(
    'The owner has rejected the held operation of one approval.',
    'The approval no longer waits for a decision.',
  ),
  'task.finished': state(
    'One task has come to its end.',
    'Reading it shows `completed`, `failed` or `cancelled`.',
  ),
  'operation.uncertain': state(
    'The outcome of the write of operations with one idempotency key is not known.',
    'Sending the same request with that key again is answered with the code `OUTCOME_UNCERTAIN`.',
  ),
  'plan.without-webhooks': state(
    'The plan of an account has no webhook settings.',
    'Listing the webhooks of one of its agents is refused.',
  ),
  ...eventStates(),
  ...nearStates(),
} as const satisfies Record<string, State>

export type StateId = keyof typeof states
export const stateIds = Object.keys(states) as StateId[]

export function eventState<E extends WebhookEvent>(event: E): `event.${E}` {
  return `event.${event}`
}

export function nearState<E extends WebhookEvent>(event: E): `no-event.${E}` {
  return `no-event.${event}`
}

export function isOfEvent(state: string): boolean {
  return state.startsWith('event.') || state.startsWith('no-event.')
}
