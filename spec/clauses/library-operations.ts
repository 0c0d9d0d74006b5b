import { must } from '../clause.ts'

const client = 'Endpoints, Client behaviour'
const uploads = 'Endpoints, Operations catalog, upload routes'
const receipt = 'Resources, Operation receipt'
const by = { actor: 'library' } as const
const implied = { actor: 'library', basis: 'implied' } as const

export const libraryOperations = {
  'LIB-BILLING': must(
    '`getBillingSubscription`, `getBillingUsage`, `listBillingPlans` and `listBillingInvoices` read what they are named after.',
    `${client}; Resources, Billing reads`,
    by,
  ),
  'LIB-OPERATIONS': must('`discoverOperations` and `executeOperation` list and run operations.', client, by),
  'LIB-NOT-PERMITTED': must(
    'An operation that is in the package but refused by the server stays refused.',
    'What the service does, Clients',
    by,
  ),
  'LIB-WRITE-KEY': must(
    'A write that is sent again carries the same key.',
    'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}',
    by,
  ),
  'LIB-TASK-WAIT': must(
    'After an accepted receipt the task is read until it is completed, failed or cancelled, and no longer.',
    client,
    by,
  ),
  'LIB-TASK-NOT-DONE': must(
    'A task that is queued, running or in need of input does not count as finished.',
    'States and transitions, Task states',
    by,
  ),
  'LIB-APPROVAL': must(
    'A held operation does not count as finished before its approval was read.',
    `${receipt}, pending_approval`,
    by,
  ),
  'LIB-FAILED': must(
    'A failed receipt reaches the caller with its code and its way out.',
    `${receipt}, failed`,
    implied,
  ),
  'LIB-UPLOAD-KEYS': must(
    '`uploadFileSource` and `uploadStructuredDataFile` use the same prepare and finalize key when tried again.',
    uploads,
    by,
  ),
  'LIB-UPLOAD-NOT-DONE': must(
    'A finished spreadsheet call is not shown as a finished import or training.',
    'States and transitions, Spreadsheet upload',
    by,
  ),
} as const
