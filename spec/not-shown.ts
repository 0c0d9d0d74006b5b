import type { GapId } from './gaps.ts'

export interface NotShown {
  /** Our name of the place: section, and what is not shown there. */
  place: string
  gaps: readonly [GapId, ...GapId[]]
}

function at(place: string, ...gaps: NotShown['gaps']): NotShown {
  return { place, gaps }
}

/** One row for each time the contract says that something is not shown, in its order. */
export const notShownPlaces: readonly NotShown[] = [
  at('Resources, chat request: types of an interaction', 'GAP-INTERACTION-TYPES'),
  at('Resources, chat response: members of a presentation', 'GAP-PRESENTATION-SHAPE'),
  at('Resources, chat response: members of `customer_message`', 'GAP-CUSTOMER-MESSAGE'),
  at('Resources, receipt: its full shape', 'GAP-RECEIPT-SHAPE'),
  at('Resources, receipt: members of task and approval', 'GAP-TASK-FIELDS', 'GAP-APPROVAL-FIELDS'),
  at('Resources, webhook: what a creation requires', 'GAP-WEBHOOK-REQUIRED'),
  at('Resources, webhook log: names in an entry', 'GAP-LOG-FIELDS'),
  at('States: from one task state to another', 'GAP-TASK-TRANSITIONS'),
  at('States: those of an approval', 'GAP-APPROVAL-STATES'),
  at('Endpoints, operations: shape of the list', 'GAP-DISCOVERY-SHAPE'),
  at('Endpoints, operations: envelope of an execution', 'GAP-EXECUTION-BODY'),
  at('Endpoints, operations: a task beyond its state', 'GAP-TASK-FIELDS'),
  at('Endpoints, operations: shape of an approval', 'GAP-APPROVAL-FIELDS'),
  at('Endpoints, operations: paths of three billing reads', 'GAP-BILLING-ROUTES'),
  at('Endpoints, operations: upload routes', 'GAP-UPLOAD-ROUTES'),
  at('Endpoints, webhooks: what four routes answer', 'GAP-WEBHOOK-BODIES', 'GAP-LOG-LIST'),
  at('Authentication: rotating a key', 'GAP-KEY-ROTATION'),
  at('Authentication: all scopes', 'GAP-SCOPE-LIST'),
  at('Events: payloads but one', 'GAP-EVENT-PAYLOADS'),
  at('Events: what emits which', 'GAP-EVENT-TRIGGERS'),
  at('Errors: all codes of a receipt', 'GAP-RECEIPT-CODES'),
  at('Errors: codes of 401, 403, 404, 500 and 503', 'GAP-REFUSAL-CODES'),
  at('Errors: messages of a 400', 'GAP-VALIDATION-WORDS'),
  at('Limits: names of rate-limit headers', 'GAP-RATE-HEADERS'),
  at('Limits: rates outside chat', 'GAP-OTHER-RATES'),
  at('Limits: life of an idempotency key', 'GAP-KEY-LIFE'),
  at('Limits: pause of an endpoint', 'GAP-ENDPOINT-PAUSE'),
  at('Limits: backoff between attempts', 'GAP-ATTEMPT-BACKOFF'),
  at('Limits: cost of a turn, limits of a trial', 'GAP-CREDIT-COST', 'GAP-PAUSED-COST', 'GAP-TRIAL-LIMITS'),
  at('Versioning: whether the older variant is served', 'GAP-OLDER-SERVED'),
  at('Versioning: deprecation and negotiation', 'GAP-DEPRECATION'),
]
