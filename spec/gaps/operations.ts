import { ambiguous, notShownGap, silentGap } from '../gap.ts'

const routes = 'Endpoints, Operations catalog'

export const operationsGaps = {
  'GAP-DISCOVERY-SHAPE': notShownGap({
    question: 'How does the list of operations look?',
    source: `${routes}, GET /api/v1/operations`,
    unjudged:
      'Every name in it; where operations, their ids and their schemas stand is declared by the target.',
    interpretations: {
      operations: 'An object whose `operations` is a list of objects with `id` and `inputSchema`.',
      bare: 'A list of objects with `operation_id` and `input_schema`.',
    },
  }),
  'GAP-EXECUTION-BODY': notShownGap({
    question: 'How is the input of an operation wrapped in the body that executes it?',
    source: `${routes}, POST /api/v1/operation-executions/{operationId}`,
    unjudged: 'The wrapping; the target declares it.',
    interpretations: { input: 'It stands in `input`.', bare: 'It is the body itself.' },
  }),
  'GAP-OPERATION-KEY': silentGap({
    question: 'Where does a write of the catalog carry its idempotency key?',
    source: `${routes}, POST /api/v1/operation-executions/{operationId}`,
    unjudged: 'The place; the target declares it.',
    interpretations: { header: 'In `Idempotency-Key`.', body: 'In `idempotency_key` beside the input.' },
  }),
  'GAP-OPERATION-KEY-REQUIRED': ambiguous({
    question: 'Is a write of the catalog refused when it comes without an idempotency key?',
    source: `${routes}, POST /api/v1/operation-executions/{operationId}`,
    unjudged: 'What a write without a key meets.',
    interpretations: {
      required: 'It is refused with 400.',
      optional: 'It runs, and nothing protects its retry.',
    },
  }),
  'GAP-OPERATION-CONFLICT': silentGap({
    question: 'What does a used key of the catalog meet when the input is another?',
    source: `${routes}, POST /api/v1/operation-executions/{operationId}`,
    unjudged: 'Whether the first receipt comes again or a refusal.',
    interpretations: { refuse: 'It is refused with 409.', replay: 'The first receipt comes again.' },
  }),
  'GAP-RECEIPT-SHAPE': notShownGap({
    question: 'Where does a receipt carry the ids of its task and its approval?',
    source: 'Resources, Operation receipt, last paragraphs',
    unjudged: 'Every member but `status`, `data`, `error.code` and `error.resolution`.',
    interpretations: {
      flat: 'In `task_id` and `approval_id`.',
      nested: 'In `task.id` and `approval.id`.',
    },
  }),
  'GAP-RECEIPT-STATUS': silentGap({
    question: 'With which HTTP status does a receipt come?',
    source: 'Resources, Operation receipt',
    unjudged: 'The HTTP status of a receipt, as long as it is not a 401 or 403.',
    interpretations: {
      'by-status': '200 completed, 202 accepted or held, 422 failed.',
      always: '200, whatever the receipt says.',
    },
  }),
  'GAP-RECEIPT-CODES': notShownGap({
    question: 'Which codes can a failed receipt carry?',
    source: 'Errors, Operation errors',
    unjudged: 'Any code but the two that are named.',
    interpretations: {
      words: 'Codes of the simulator’s own, such as `INVALID_INPUT`, besides the two.',
    },
  }),
  'GAP-OPERATION-REFUSAL': ambiguous({
    question: 'Is a call that is refused before it runs answered with a flat error or with a failed receipt?',
    source: 'Errors, Chat status codes, last paragraph; Errors, Operation errors',
    unjudged: 'The form of a 400, 401, 403 or 404 outside chat.',
    interpretations: { flat: 'With a flat error, as chat does.', receipt: 'With a failed receipt.' },
  }),
  'GAP-OPERATION-UNKNOWN': silentGap({
    question: 'How are an operation, a task and an approval answered that do not exist?',
    source: routes,
    unjudged: 'The status; it only has to be a refusal.',
    interpretations: { 'not-found': 'With 404.', forbidden: 'With 403, as if they were somebody else’s.' },
  }),
  'GAP-TASK-FIELDS': notShownGap({
    question: 'What does a task show besides its state?',
    source: `${routes}, GET /api/v1/tasks/{taskId}; Resources, Operation receipt, last paragraph`,
    unjudged: 'Every member but `state`.',
    interpretations: {
      result: '`id`, `state`, and `result` or `error` once it is final.',
      receipt: '`id`, `state`, and the whole receipt once it is final.',
    },
  }),
  'GAP-TASK-TRANSITIONS': notShownGap({
    question: 'Which state of a task can follow which?',
    source: 'States and transitions, Task states',
    unjudged: 'The order of states that are not final, and whether each is passed through.',
    interpretations: {
      steps: 'Queued, running, possibly input required and running again, then a final state.',
      short: 'Queued, then at once a final state.',
    },
  }),
  'GAP-INPUT-REQUIRED': silentGap({
    question: 'How does a task get the input it asks for?',
    source: 'States and transitions, Task states',
    unjudged: 'The way; a suite does not bring such a task on.',
    interpretations: { owner: 'The owner gives it, outside the HTTP API.' },
  }),
  'GAP-APPROVAL-FIELDS': notShownGap({
    question: 'What does an approval receipt look like?',
    source: `${routes}, GET /api/v1/approvals/{approvalId}; Resources, Operation receipt, last paragraph`,
    unjudged: 'Every member; where the decision stands is declared by the target.',
    interpretations: {
      state: '`id` and `state`, with `receipt` once the owner has decided.',
      receipt: 'A receipt with `approval_id`, whose `status` moves on with the decision.',
    },
  }),
  'GAP-APPROVAL-STATES': notShownGap({
    question: 'Which states does an approval have?',
    source: 'States and transitions, Approval record',
    unjudged: 'Their names, and whether an approval can lapse.',
    interpretations: {
      three: '`pending`, `approved` and `rejected`.',
      lapsing: 'The same and `expired`, after a day without a decision.',
    },
  }),
  'GAP-APPROVAL-CONTINUES': ambiguous({
    question:
      'Does an approved operation, document uploads apart, run by itself or only when it is sent again?',
    source: 'States and transitions, Receipt pending_approval and Document upload',
    unjudged: 'Which of the two; the suite sends it again with the same key and looks at the effect.',
    interpretations: {
      itself: 'The approval sets it going.',
      again: 'It waits for the same request to come again.',
    },
  }),
  'GAP-BILLING-ROUTES': notShownGap({
    question: 'At which paths are subscription, plans and invoices read?',
    source: `${routes}, paths of the billing reads`,
    unjudged: 'The paths; the target declares them.',
    interpretations: {
      routes: '`/api/v1/billing/subscription`, `/plans` and `/invoices`.',
      operations: 'None of their own: they are executed as operations.',
    },
  }),
  'GAP-USAGE-SHAPE': silentGap({
    question: 'What does a billing read show besides the members that are named?',
    source: 'Resources, Billing reads',
    unjudged: 'Every other member, as long as it is not a detail of a card.',
    interpretations: {
      named: 'Nothing else.',
      more: 'The usage has a period and `credits.used` too, the subscription an id.',
      wrapped: 'Both are within `data`, and names of the subscription are in snake_case.',
    },
  }),
  'GAP-INVOICE-LIMIT': silentGap({
    question: 'What are the bounds of an invoice `limit`?',
    source: 'Resources, Billing reads',
    unjudged: 'What happens beyond them.',
    interpretations: {
      hundred: '1 to 100; anything else is refused with 400.',
      clamp: 'Larger numbers count as 100.',
    },
  }),
  'GAP-UPLOAD-ROUTES': notShownGap({
    question: 'Through which routes are documents and spreadsheets uploaded?',
    source: `${routes}, upload routes`,
    unjudged:
      'The routes, the form of the bytes, and where the two keys are carried; the target declares them.',
    interpretations: {
      'two-steps':
        'One route prepares an upload, another finalizes it with the bytes in base64, each with its own key.',
      'one-step': 'One route takes the file in base64 with both keys in the body, and a `source`.',
    },
  }),
  'GAP-UPLOAD-RENEWAL': silentGap({
    question: 'When is the renewal of an upload incomplete?',
    source: 'Errors, Operation errors',
    unjudged: 'What brings it about, and how an upload that lapsed is refused otherwise.',
    interpretations: {
      lapsed: 'A prepared document lapsed after an hour, and its renewal waits for approval.',
    },
  }),
  'GAP-DOCUMENT-APPROVAL': silentGap({
    question: 'Which documents need the approval of the owner?',
    source: 'States and transitions, Document upload',
    unjudged:
      'A document that is taken without approval, where the target does not declare that it is needed.',
    interpretations: { required: 'Every document.', none: 'None.' },
  }),
  'GAP-AGENT-LISTING': silentGap({
    question: 'How are agents listed with `read_agents`?',
    source: 'Authentication, Chat and operations, 4',
    unjudged: 'The route or the operation; the target declares it.',
    interpretations: { operation: 'By the operation `agents.list`.', route: 'By `GET /api/v1/agents`.' },
  }),
  'GAP-OTHER-RATES': notShownGap({
    question: 'How often may the routes outside chat be called?',
    source: 'Limits, Other gaps, rate limits of other routes',
    unjudged: 'A 429 there, and its absence.',
    interpretations: { none: 'As often as one likes.', same: 'As chat: 60 a minute and key, counted apart.' },
  }),
} as const
