/** The scenarios about operations: every scenario by id, `<file>/<scenario>`. Every file with scenarios stands here; a test says so. */
import type { AnyScenario } from '../scenario/scenario.ts'
import { byId } from '../scenario/scenario.ts'
import * as approvalHistory from './approval-history.ts'
import * as approvals from './approvals.ts'
import * as billingAccounts from './billing-accounts.ts'
import * as billing from './billing.ts'
import * as discovery from './discovery.ts'
import * as document from './document.ts'
import * as executionDraft from './execution-draft.ts'
import * as executionRetry from './execution-retry.ts'
import * as execution from './execution.ts'
import * as inputs from './inputs.ts'
import * as inspection from './inspection.ts'
import * as narrowKeys from './narrow-keys.ts'
import * as plans from './plans.ts'
import * as receipts from './receipts.ts'
import * as scopes from './scopes.ts'
import * as taskHistory from './task-history.ts'
import * as taskUnread from './task-unread.ts'
import * as tasks from './tasks.ts'
import * as uploadRenewal from './upload-renewal.ts'
import * as uploadRetry from './upload-retry.ts'
import * as uploads from './uploads.ts'

const files = {
  billing,
  'billing-accounts': billingAccounts,
  discovery,
  execution,
  'execution-draft': executionDraft,
  'execution-retry': executionRetry,
  inputs,
  inspection,
  'narrow-keys': narrowKeys,
  plans,
  receipts,
  scopes,
  tasks,
  'task-history': taskHistory,
  'task-unread': taskUnread,
  approvals,
  'approval-history': approvalHistory,
  uploads,
  document,
  'upload-retry': uploadRetry,
  'upload-renewal': uploadRenewal,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const operationScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
