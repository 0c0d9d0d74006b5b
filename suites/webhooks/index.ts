/** The webhook scenarios by id, `<file>/<scenario>`. A test checks that every file with scenarios is listed here. */
import { type AnyScenario, byId } from '../scenario/scenario.ts'
import * as attempts from './deliveries/attempts.ts'
import * as canary from './targets/canary.ts'
import * as delivery from './deliveries/delivery.ts'
import * as events from './deliveries/events.ts'
import * as log from './deliveries/log.ts'
import * as management from './management/management.ts'
import * as moved from './targets/moved.ts'
import * as ownAgent from './management/own-agent.ts'
import * as pausing from './deliveries/pausing.ts'
import * as refused from './management/refused.ts'
import * as resolved from './targets/resolved.ts'
import * as retries from './deliveries/retries.ts'
import * as sampleModel from './models/sample-model.ts'
import * as turns from './deliveries/turns.ts'
import * as updates from './management/updates.ts'
import * as webhookValues from './management/webhook-values.ts'

const files = {
  attempts,
  canary,
  delivery,
  events,
  log,
  management,
  moved,
  'own-agent': ownAgent,
  pausing,
  refused,
  resolved,
  retries,
  'sample-model': sampleModel,
  turns,
  updates,
  'webhook-values': webhookValues,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const webhookScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
