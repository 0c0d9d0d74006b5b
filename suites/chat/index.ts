/** The chat suite: every scenario by id, `<file>/<scenario>`. Every file with scenarios stands here; a test says so. */
import type { AnyScenario } from '../scenario/scenario.ts'
import { byId } from '../scenario/scenario.ts'
import * as auth from './auth.ts'
import * as authCrossed from './auth-crossed.ts'
import * as chatErrors from './chat-errors.ts'
import * as chatRequest from './chat-request.ts'
import * as chatRequestCrossed from './chat-request-crossed.ts'
import * as chatRequestDrawn from './chat-request-drawn.ts'
import * as chatResponse from './chat-response.ts'
import * as conversation from './conversation.ts'
import * as creditCases from './credit-cases.ts'
import * as credits from './credits.ts'
import * as history from './history.ts'
import * as idempotencyAbort from './idempotency-abort.ts'
import * as idempotencyCarrier from './idempotency-carrier.ts'
import * as idempotencyCharge from './idempotency-charge.ts'
import * as idempotencyConflict from './idempotency-conflict.ts'
import * as idempotencyFlight from './idempotency-flight.ts'
import * as idempotencyKey from './idempotency-key.ts'
import * as idempotencyLookalike from './idempotency-lookalike.ts'
import * as idempotencyRace from './idempotency-race.ts'
import * as idempotencyReplay from './idempotency-replay.ts'
import * as idempotencyScope from './idempotency-scope.ts'
import * as idempotencyUncertain from './idempotency-uncertain.ts'
import * as model from './model.ts'
import * as modelCredits from './model-credits.ts'
import * as modelFlow from './model-flow.ts'
import * as modelPause from './model-pause.ts'
import * as pause from './pause.ts'
import * as rateLimit from './rate-limit.ts'
import * as recall from './recall.ts'
import * as replicas from './replicas.ts'
import * as streaming from './streaming.ts'
import * as streamingEvents from './streaming-events.ts'
import * as turnsAtOnce from './turns-at-once.ts'
import * as workflow from './workflow.ts'

const files = {
  auth,
  'auth-crossed': authCrossed,
  'chat-errors': chatErrors,
  'chat-request': chatRequest,
  'chat-request-crossed': chatRequestCrossed,
  'chat-request-drawn': chatRequestDrawn,
  'chat-response': chatResponse,
  conversation,
  'credit-cases': creditCases,
  credits,
  history,
  'idempotency-abort': idempotencyAbort,
  'idempotency-carrier': idempotencyCarrier,
  'idempotency-charge': idempotencyCharge,
  'idempotency-conflict': idempotencyConflict,
  'idempotency-flight': idempotencyFlight,
  'idempotency-key': idempotencyKey,
  'idempotency-lookalike': idempotencyLookalike,
  'idempotency-race': idempotencyRace,
  'idempotency-replay': idempotencyReplay,
  'idempotency-scope': idempotencyScope,
  'idempotency-uncertain': idempotencyUncertain,
  model,
  'model-credits': modelCredits,
  'model-flow': modelFlow,
  'model-pause': modelPause,
  pause,
  'rate-limit': rateLimit,
  recall,
  replicas,
  streaming,
  'streaming-events': streamingEvents,
  'turns-at-once': turnsAtOnce,
  workflow,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const chatScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
