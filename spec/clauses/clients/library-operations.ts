import { implied, must, stated } from '../../clause.ts'

const client = 'Endpoints, Client behaviour'
const uploads = 'Endpoints, Operations catalog, upload routes'
const receipt = 'Resources, Operation receipt'
const by = { actor: 'library' } as const

export const libraryOperationsClauses = {
  'LIB-BILLING': must(
    '`getBillingSubscription`, `getBillingUsage`, `listBillingPlans` and `listBillingInvoices` read what they are named after.',
    stated(
      `${client}; Resources, Billing reads`,
      '`getBillingSubscription`, `getBillingUsage`, `listBillingPlans`, `listBillingInvoices`',
      by,
    ),
  ),
  'LIB-OPERATIONS': must(
    '`discoverOperations` and `executeOperation` list and run operations.',
    stated(client, '`discoverOperations`, `executeOperation(operationId, input)`', by),
  ),
  'LIB-NOT-PERMITTED': must(
    'An operation that is in the package but refused by the server stays refused.',
    stated(
      'What the service does, Clients',
      'Having an operation in an installed package is not permission to run',
      by,
    ),
  ),
  'LIB-WRITE-KEY': must(
    'A write that is sent again carries the same key.',
    stated(
      'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}',
      'write requests pass the same idempotency key on retry',
      by,
    ),
  ),
  'LIB-TASK-WAIT': must(
    'After an accepted receipt the task is read until it is completed, failed or cancelled, and no longer.',
    stated(client, 'poll until the task state is completed, failed or cancelled', by),
  ),
  'LIB-TASK-NOT-DONE': must(
    'A task that is queued, running or in need of input does not count as finished.',
    stated('States and transitions, Task states', 'the first three mean not finished', by),
  ),
  'LIB-APPROVAL': must(
    'A held operation does not count as finished before its approval was read.',
    stated(
      `${receipt}, pending_approval`,
      'the approval must be read before the work counts as finished',
      by,
    ),
  ),
  'LIB-FAILED': must(
    'A failed receipt reaches the caller with its code and its way out.',
    implied(`${receipt}, failed`, '`failed` | Carries `error.code` and `error.resolution`', by),
  ),
  'LIB-UPLOAD-KEYS': must(
    '`uploadFileSource` and `uploadStructuredDataFile` use the same prepare and finalize key when tried again.',
    stated(uploads, 'each using a stable prepare key and finalize key', by),
  ),
  'LIB-UPLOAD-NOT-DONE': must(
    'A finished spreadsheet call is not shown as a finished import or training.',
    stated(
      'States and transitions, Spreadsheet upload',
      'a finished call does not mean training or import is finished',
      by,
    ),
  ),
} as const
