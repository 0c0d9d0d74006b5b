import { must } from '../clause.ts'

const receipt = 'Resources, Operation receipt'
const errors = 'Errors, Operation errors'
const implied = { basis: 'implied' } as const

export const receipts = {
  'RCPT-STATUS': must('A receipt is a JSON object with a string `status`.', receipt),
  'RCPT-STATUS-KNOWN': must('`status` is `completed`, `accepted`, `pending_approval` or `failed`.', receipt),
  'RCPT-COMPLETED-DATA': must('A completed receipt has its result in `data`.', `${receipt}, completed`),
  'RCPT-ACCEPTED-TASK': must(
    'An accepted receipt leads to a task that can be read.',
    `${receipt}, accepted`,
    {
      observe: 'state',
    },
  ),
  'RCPT-PENDING-APPROVAL': must(
    'A receipt that waits for approval leads to an approval that can be read.',
    `${receipt}, pending_approval`,
    { observe: 'state' },
  ),
  'RCPT-FAILED-CODE': must('A failed receipt has `error.code`.', `${receipt}, failed`),
  'RCPT-FAILED-RESOLUTION': must('A failed receipt has `error.resolution`.', `${receipt}, failed`),
  'RCPT-UNCERTAIN': must(
    'An operation whose earlier outcome is unknown fails with `OUTCOME_UNCERTAIN`.',
    errors,
    { state: 'operation.uncertain' },
  ),
  'RCPT-UNCERTAIN-ONE-RUN': must(
    'Sending it again with the same key does not carry it out a second time.',
    errors,
    { ...implied, observe: 'state' },
  ),
} as const
