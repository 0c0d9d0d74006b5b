/** The chat suite: every scenario by id, `<file>/<scenario>`. Every file with scenarios stands here; a test says so. */
import { type AnyScenario, byId } from '../scenario/scenario.ts'
import * as auth from './requests/auth.ts'
import * as chatErrors from './requests/chat-errors.ts'
import * as chatRequest from './requests/chat-request.ts'
import * as chatRequestCrossed from './requests/chat-request-crossed.ts'
import * as chatResponse from './requests/chat-response.ts'
import * as credits from './turns/credits.ts'
import * as idempotencyAbort from './idempotency/idempotency-abort.ts'
import * as idempotencyCarrier from './idempotency/idempotency-carrier.ts'
import * as idempotencyConflict from './idempotency/idempotency-conflict.ts'
import * as idempotencyFlight from './idempotency/idempotency-flight.ts'
import * as idempotencyKey from './idempotency/idempotency-key.ts'
import * as idempotencyRace from './idempotency/idempotency-race.ts'
import * as idempotencyReplay from './idempotency/idempotency-replay.ts'
import * as idempotencyScope from './idempotency/idempotency-scope.ts'
import * as idempotencyUncertain from './idempotency/idempotency-uncertain.ts'
import * as keyValues from './idempotency/key-values.ts'
import * as messageValues from './requests/message-values.ts'
import * as pause from './turns/pause.ts'
import * as rateLimit from './turns/rate-limit.ts'
import * as recall from './turns/recall.ts'
import * as replicas from './turns/replicas.ts'
import * as streaming from './turns/streaming.ts'
import * as streamingEvents from './turns/streaming-events.ts'
import * as walk from './walk/walk.ts'
import * as workflow from './turns/workflow.ts'

const files = {
  auth,
  'chat-errors': chatErrors,
  'chat-request': chatRequest,
  'chat-request-crossed': chatRequestCrossed,
  'chat-response': chatResponse,
  credits,
  'idempotency-abort': idempotencyAbort,
  'idempotency-carrier': idempotencyCarrier,
  'idempotency-conflict': idempotencyConflict,
  'idempotency-flight': idempotencyFlight,
  'idempotency-key': idempotencyKey,
  'idempotency-race': idempotencyRace,
  'idempotency-replay': idempotencyReplay,
  'idempotency-scope': idempotencyScope,
  'idempotency-uncertain': idempotencyUncertain,
  'key-values': keyValues,
  'message-values': messageValues,
  pause,
  'rate-limit': rateLimit,
  recall,
  replicas,
  streaming,
  'streaming-events': streamingEvents,
  walk,
  workflow,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const chatScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
