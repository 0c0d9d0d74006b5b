import { implied, must, stated } from '../../clause.ts'

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
