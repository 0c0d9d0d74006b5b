/** Clauses of operations, their receipts, and what they lead to. */
import { advised, implied, must, should, stated } from '../clause.ts'
import { quoted } from '../quoted.ts'

const list = 'Endpoints, Operations catalog, GET /api/v1/operations'
const catalog = 'What the service does, Operations catalog'
const permitted = 'Lists the operations the calling key may use'

export const discoveryClauses = {
  'OPS-LIST': must(
    'A key that asks which operations it may use is answered 200 with JSON.',
    stated(list, permitted),
  ),
  'OPS-SCHEMA': must(
    'Every operation in the list comes with an input schema.',
    stated(list, 'with an input schema for each'),
  ),
  'OPS-LISTED-PERMITTED': must(
    'An operation in the list of a key is not refused to it for permission.',
    stated(list, permitted),
  ),
  'OPS-UNLISTED-REFUSED': must(
    'An operation that is not in the list of a key is refused to it.',
    implied('Endpoints, Operations catalog, last paragraph', [
      'discovery is authoritative for a key',
      'Runs any permitted operation',
    ]),
  ),
  'OPS-PER-KEY': must(
    'A key without `agent_design_read` does not find `agent_setup.inspect` in its list.',
    implied(list, [permitted, quoted.inspection]),
  ),
  'OPS-ONE-CATALOG': must(
    'HTTP API, dashboard, command line, client library and MCP connectors offer operations of one catalog.',
    stated(catalog, 'come from one catalog', { observe: 'inside' }),
  ),
} as const

const run = 'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}'
const inspect = 'Endpoints, Operations catalog, last paragraph'
const sameKey = 'write requests pass the same idempotency key on retry'

export const executionClauses = {
  'EXEC-RECEIPT': must(
    'Executing a permitted operation is answered with a receipt.',
    stated(run, 'response is an operation receipt'),
  ),
  'EXEC-LISTED': must(
    'An operation in the list that has no route of its own can be executed here.',
    stated(run, 'Runs any permitted operation that has no route of its own'),
  ),
  'EXEC-INPUT': must(
    'Input that fits the schema of the operation is not refused as invalid.',
    implied(run, 'Body is the input defined by the discovery schema'),
  ),
  'EXEC-INPUT-INVALID': should(
    'Input that does not fit the schema never leads to a completed receipt.',
    advised(run),
  ),
  'EXEC-UNKNOWN': must(
    'An operation id that does not exist never leads to a completed receipt.',
    implied(run, ['Runs any permitted operation', quoted.discoveryRules]),
  ),
  'EXEC-INSPECT-AGENT': must(
    '`agent_setup.inspect` takes the agent as `agentId`, and is run.',
    stated(inspect, '`agent_setup.inspect` takes `agentId`'),
  ),
  'EXEC-INSPECT-AGENT-REQUIRED': should('Without `agentId` it does not complete.', advised(inspect)),
  'EXEC-RETRY-ONE-RUN': must(
    'A write sent again with its idempotency key is not done twice.',
    implied(run, sameKey),
  ),
  'EXEC-RETRY-RACE': must(
    'A write sent twice at once with one idempotency key is done once.',
    implied(run, sameKey),
  ),
  'EXEC-DRAFT': must(
    'A draft of an agent design leaves the live agent as it is.',
    stated(
      'Endpoints, Client behaviour, draft of an agent design',
      'A draft of an agent design does not publish live changes',
      { observe: 'state' },
    ),
  ),
} as const

const receipt = 'Resources, Operation receipt'
const errors = 'Errors, Operation errors'
const completed = '`completed` | Result is in `data`'
const failed = '`failed` | Carries `error.code` and `error.resolution`'

export const receiptsClauses = {
  'RCPT-STATUS': must(
    'A receipt is a JSON object with a string `status`.',
    stated(receipt, ['Returned when an operation is executed', 'Full receipt shape beyond `status`']),
  ),
  'RCPT-STATUS-KNOWN': must(
    '`status` is `completed`, `accepted`, `pending_approval` or `failed`.',
    stated(receipt, [completed, '`failed` | Carries `error.code`']),
  ),
  'RCPT-COMPLETED-DATA': must(
    'A completed receipt has its result in `data`.',
    stated(`${receipt}, completed`, completed),
  ),
  'RCPT-ACCEPTED-TASK': must(
    'An accepted receipt leads to a task that can be read.',
    stated(`${receipt}, accepted`, 'Work continues as a durable task; poll the task', { observe: 'state' }),
  ),
  'RCPT-PENDING-APPROVAL': must(
    'A receipt that waits for approval leads to an approval that can be read.',
    stated(`${receipt}, pending_approval`, 'the approval must be read before the work counts as finished', {
      observe: 'state',
    }),
  ),
  'RCPT-FAILED-CODE': must('A failed receipt has `error.code`.', stated(`${receipt}, failed`, failed)),
  'RCPT-FAILED-RESOLUTION': must(
    'A failed receipt has `error.resolution`.',
    stated(`${receipt}, failed`, failed),
  ),
  'RCPT-UNCERTAIN': must(
    'An operation whose earlier outcome is unknown fails with `OUTCOME_UNCERTAIN`.',
    stated(errors, '`OUTCOME_UNCERTAIN` (reconcile before repeating a consequential action', {
      state: 'operation.uncertain',
    }),
  ),
  'RCPT-UNCERTAIN-ONE-RUN': must(
    'Sending it again with the same key does not carry it out a second time.',
    implied(errors, 'reconcile before repeating a consequential action; keep the same key', {
      observe: 'state',
    }),
  ),
} as const

const read = 'Endpoints, Operations catalog, GET /api/v1/tasks/{taskId}'
const states = 'States and transitions, Task states'
const task = { observe: 'state' } as const
const reads = 'Reads a durable task'

export const tasksClauses = {
  'TASK-READ': must('The task of an accepted receipt is answered 200 with JSON.', stated(read, reads, task)),
  'TASK-STATE': must(
    'A task has a string `state`.',
    stated('Resources, Operation receipt, last paragraph', 'A task has a `state`', task),
  ),
  'TASK-STATE-KNOWN': must(
    '`state` is `queued`, `running`, `input_required`, `completed`, `failed` or `cancelled`.',
    stated(states, '`queued`, `running`, `input_required`, `completed`, `failed`, `cancelled`', task),
  ),
  'TASK-FINAL': must(
    'A task that is completed, failed or cancelled stays so.',
    stated(states, 'Only the last three are final', { state: 'task.finished' }),
  ),
  'TASK-DURABLE': must(
    'A task can still be read after the client that began it went away.',
    implied(
      'Resources, Operation receipt, accepted',
      'Work continues as a durable task; poll the task',
      task,
    ),
  ),
  'TASK-CONTINUES': must(
    'The work of a task continues while the task is not read.',
    implied(
      'Resources, Operation receipt, accepted',
      'Work continues as a durable task; poll the task',
      task,
    ),
  ),
  'TASK-UNKNOWN': must('A task that does not exist is not answered with a state.', implied(read, reads)),
} as const

const approvalsRead = 'Endpoints, Operations catalog, GET /api/v1/approvals/{approvalId}'
const decision = 'States and transitions, Receipt pending_approval'
const held = { observe: 'state' } as const
const approvalsReads = 'Reads an approval receipt'
const owner = 'owner approves or rejects | owner action | work continues or stops'

export const approvalsClauses = {
  'APPR-READ': must(
    'The approval of a held receipt is answered 200 with JSON.',
    stated(approvalsRead, approvalsReads, held),
  ),
  'APPR-HELD': must(
    'Before the owner decides, the held operation has no effect, and no receipt says that it is completed.',
    implied(decision, [owner, quoted.waitsForOwner], held),
  ),
  'APPR-APPROVED': must(
    'Once the owner approves, the work continues.',
    stated(decision, owner, { state: 'approval.approved' }),
  ),
  'APPR-REJECTED': must(
    'Once the owner rejects, the work stops and has no effect.',
    stated(decision, owner, { state: 'approval.rejected' }),
  ),
  'APPR-DECISION-SHOWN': must(
    'What the owner decided shows in the approval.',
    implied(decision, [owner, 'client reads the approval receipt'], held),
  ),
  'APPR-CONFIRM': must(
    'A destructive operation confirmed at the command line still waits for approval on the server.',
    stated(
      'Endpoints, Client behaviour, --confirm',
      'local acknowledgement of a destructive command; server approval still applies',
      held,
    ),
  ),
  'APPR-UNKNOWN': must(
    'An approval that does not exist is not answered as one.',
    implied(approvalsRead, approvalsReads),
  ),
} as const

const routes = 'Endpoints, Operations catalog, upload routes'
const document = 'States and transitions, Document upload'
const sheet = 'States and transitions, Spreadsheet upload'

export const uploadsClauses = {
  'UPL-SCOPE': must(
    'An upload of either kind is refused to a key without `knowledge.write`. That it takes another scope, too, is warned of.',
    stated(routes, 'both needing `knowledge.write`'),
  ),
  'UPL-DOCUMENT-HELD': must(
    'A document upload waits for the approval of the owner where that is required.',
    stated(document, 'owner approval required | `pending_approval` before any bytes are stored'),
  ),
  'UPL-DOCUMENT-NO-BYTES': must(
    'Before that approval no byte of the document is stored.',
    stated(document, '`pending_approval` before any bytes are stored', { observe: 'inside' }),
  ),
  'UPL-DOCUMENT-PROCEEDS': must(
    'After approval the upload goes on when it is sent again with the same two keys.',
    stated(document, 'after approval, retrying with the same two keys proceeds', held),
  ),
  'UPL-SHEET-NOT-HELD': must(
    'A spreadsheet upload is not held for approval.',
    stated(sheet, 'not held by the approval gate'),
  ),
  'UPL-SHEET-KINDS': must(
    'A spreadsheet may be CSV or an Excel file.',
    stated(routes, '`uploadStructuredDataFile` (CSV or Excel)'),
  ),
  'UPL-RETRY-ONCE': must(
    'An upload repeated with the same two keys is stored once.',
    implied(routes, 'each using a stable prepare key and finalize key'),
  ),
  'UPL-RENEWAL': must(
    'A failed upload with `UPLOAD_RENEWAL_INCOMPLETE` says what is pending.',
    stated(
      'Errors, Operation errors',
      '`UPLOAD_RENEWAL_INCOMPLETE` (read the error receipt for the pending action)',
      held,
    ),
  ),
} as const

const billingReads = 'Resources, Billing reads'
const usage = 'Endpoints, Operations catalog, GET /api/v1/billing/usage'
const remaining = 'Includes `credits.remaining`'
const allFour = 'All four require `billing_read`'
const reveal = 'They reveal no card details and change no plan'

export const billingClauses = {
  'BILL-USAGE': must(
    'A key with `billing_read` reads the usage and is answered 200 with JSON.',
    stated(usage, 'Usage read (needs `billing_read`)'),
  ),
  'BILL-USAGE-CREDITS': must('The usage has a number `credits.remaining`.', stated(usage, remaining)),
  'BILL-USAGE-AGREES': must(
    '`credits.remaining` follows the chat turns, and is never less than they left.',
    implied(usage, [remaining, quoted.creditsLeft]),
  ),
  'BILL-USAGE-SCOPE': must(
    'The usage is refused to a key without `billing_read`.',
    stated(billingReads, allFour),
  ),
  'BILL-SUBSCRIPTION': must(
    'The subscription shows its status and the name of its plan.',
    stated(billingReads, 'Subscription read exposes `status` and `plan.displayName`'),
  ),
  'BILL-PLANS': must('The plans can be listed.', stated(billingReads, 'Plans can be listed')),
  'BILL-INVOICES-LIMIT': should(
    'A list of invoices with a `limit` has no more than that many.',
    advised(billingReads),
  ),
  'BILL-READS-SCOPE': must(
    'Subscription, plans and invoices are refused to a key without `billing_read`.',
    stated(billingReads, allFour),
  ),
  'BILL-NO-CARD': must('No billing read shows details of a card.', stated(billingReads, reveal)),
  'BILL-NO-CHANGE': must('A billing read changes no plan.', stated(billingReads, reveal)),
} as const

const chat = 'Authentication, Chat and operations'
const unauthorized = '401 means the key is invalid or missing'
const scopesInspect = '`agent_design_read` | the `agent_setup.inspect` operation'

export const scopesClauses = {
  'SCOPE-NO-KEY': must(
    'A catalog, task, approval or billing route refuses a call without a key with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'SCOPE-UNKNOWN-KEY': must(
    'Each of these routes refuses a key that is not valid with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'SCOPE-INSPECT': must(
    '`agent_setup.inspect` is refused to a key without `agent_design_read`.',
    stated(`${chat}, 4`, scopesInspect),
  ),
  'SCOPE-INSPECT-GRANTED': must(
    '`agent_setup.inspect` runs for a key with `agent_design_read`.',
    implied(`${chat}, 4`, scopesInspect),
  ),
  'SCOPE-READ-AGENTS': must(
    'Listing agents is refused to a key without `read_agents`. That it takes another scope, too, is warned of.',
    stated(`${chat}, 4`, '`read_agents` | listing agents'),
  ),
  'SCOPE-AGENT': must(
    'A key restricted to one agent cannot run an operation on another.',
    implied(`${chat}, 2 and 5`, ['optionally restricted to a single agent', 'is outside its agent scope']),
  ),
  'SCOPE-FOREIGN': should(
    'Tasks, approvals and webhooks of another account are out of reach.',
    advised(`${chat}, 5`, [], { observe: 'state' }),
  ),
} as const

const plan = 'What the service does, Plans'
const state = { observe: 'state' } as const
const webhookPlans = 'Webhook settings are available on the Business and Enterprise plans'

export const plansClauses = {
  'PLAN-PAID': must(
    'Every paid plan may use the HTTP API, MCP connectors and the command line.',
    stated(plan, 'API, MCP and CLI access is available on every paid plan', state),
  ),
  'PLAN-TRIAL': must(
    'An active trial may use the same, within the limits of the trial.',
    stated(plan, 'Active trials may use gated features subject to trial limits', state),
  ),
  'PLAN-WEBHOOKS': must(
    'Plans Business and Enterprise, and an active trial, may use webhook settings.',
    stated(plan, webhookPlans, state),
  ),
  'PLAN-WEBHOOKS-OTHER': must(
    'Any other plan may not use webhook settings.',
    implied(plan, webhookPlans, { state: 'plan.without-webhooks' }),
  ),
} as const
