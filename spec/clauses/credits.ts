import { must } from '../clause.ts'

const turn = 'What the service does, Credits'
const table = 'States and transitions, Chat key unused'
const empty = 'Errors, Chat status codes, 402'
const implied = { basis: 'implied' } as const
const exhausted = { state: 'credits.exhausted' } as const

export const credits = {
  'CRED-NOT-NEGATIVE': must('The credits used by a turn are not negative.', turn, implied),
  'CRED-BALANCE': must('The credits left after a turn are those before less those used.', turn, implied),
  'CRED-BALANCE-STREAM': must('The same holds for streamed turns.', turn, implied),
  'CRED-BALANCE-CONCURRENT': must('The same holds over turns that run at once.', turn, implied),
  'CRED-REFUSAL-FREE': must('A refused request consumes no credits.', table, implied),
  'CRED-EMPTY-STATUS': must(
    'A turn that the credits left do not cover is refused with 402.',
    empty,
    exhausted,
  ),
  'CRED-EMPTY-CODE': must('That refusal names `INSUFFICIENT_CREDITS`.', empty, exhausted),
  'CRED-EMPTY-AMOUNTS': must(
    '`credits_required` and `credits_remaining`, where the refusal has them, are numbers.',
    empty,
    { ...exhausted, basis: 'implied' },
  ),
  'CRED-EMPTY-SHORT': must(
    'Where the refusal has both amounts, what is left is less than what is required.',
    empty,
    { ...exhausted, basis: 'implied' },
  ),
  'CRED-EMPTY-STREAM': must('The same refusal comes when a stream was asked for.', empty, {
    ...exhausted,
    basis: 'implied',
  }),
} as const
