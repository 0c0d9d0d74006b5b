/** The operation scenarios by id, `<file>/<scenario>`. A test checks that every file with scenarios is listed here. */
import { type AnyScenario, byId } from '../scenario/scenario.ts'
import * as approvalHistory from './tasks/approval-history.ts'
import * as approvals from './tasks/approvals.ts'
import * as billing from './billing/billing.ts'
import * as discovery from './access/discovery.ts'
import * as document from './uploads/document.ts'
import * as executionDraft from './execution/execution-draft.ts'
import * as executionRetry from './execution/execution-retry.ts'
import * as execution from './execution/execution.ts'
import * as inputs from './execution/inputs.ts'
import * as inspection from './access/inspection.ts'
import * as plans from './access/plans.ts'
import * as receipts from './execution/receipts.ts'
import * as scopes from './access/scopes.ts'
import * as taskUnread from './tasks/task-unread.ts'
import * as tasks from './tasks/tasks.ts'
import * as uploadRenewal from './uploads/upload-renewal.ts'
import * as uploads from './uploads/uploads.ts'

const files = {
  billing,
  discovery,
  execution,
  'execution-draft': executionDraft,
  'execution-retry': executionRetry,
  inputs,
  inspection,
  plans,
  receipts,
  scopes,
  tasks,
  'task-unread': taskUnread,
  approvals,
  'approval-history': approvalHistory,
  uploads,
  document,
  'upload-renewal': uploadRenewal,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const operationScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
