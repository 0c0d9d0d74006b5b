/** The webhook suite: every scenario by id, `<file>/<scenario>`. Every file with scenarios stands here; a test says so. */
import type { AnyScenario } from '../scenario/scenario.ts'
import { byId } from '../scenario/scenario.ts'
import * as access from './access.ts'
import * as again from './again.ts'
import * as alike from './alike.ts'
import * as attempts from './attempts.ts'
import * as blocked from './blocked.ts'
import * as canary from './canary.ts'
import * as delivery from './delivery.ts'
import * as events from './events.ts'
import * as headerLines from './header-lines.ts'
import * as log from './log.ts'
import * as management from './management.ts'
import * as masking from './masking.ts'
import * as moved from './moved.ts'
import * as ownAgent from './own-agent.ts'
import * as pausing from './pausing.ts'
import * as recordModel from './record-model.ts'
import * as redirect from './redirect.ts'
import * as removal from './removal.ts'
import * as resolved from './resolved.ts'
import * as retries from './retries.ts'
import * as sampleModel from './sample-model.ts'
import * as signing from './signing.ts'
import * as target from './target.ts'
import * as testRoute from './test-route.ts'
import * as turns from './turns.ts'
import * as updates from './updates.ts'
import * as updatesAtOnce from './updates-at-once.ts'

const files = {
  access,
  again,
  alike,
  attempts,
  blocked,
  canary,
  delivery,
  events,
  'header-lines': headerLines,
  log,
  management,
  masking,
  moved,
  'own-agent': ownAgent,
  pausing,
  'record-model': recordModel,
  redirect,
  removal,
  resolved,
  retries,
  'sample-model': sampleModel,
  signing,
  target,
  'test-route': testRoute,
  turns,
  updates,
  'updates-at-once': updatesAtOnce,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const webhookScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
