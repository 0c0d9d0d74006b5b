import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const turn = 'Resources, Chat success response, credits_used and credits_remaining'
const table = 'States and transitions, Chat key unused'
const empty = 'Errors, Chat status codes, 402'
const exhausted = { state: 'credits.exhausted' } as const
const consumed = 'Credits consumed by this request'
const left = 'Credits left after this request'
const insufficient = '402 | `INSUFFICIENT_CREDITS`'
const amounts = '`credits_required` and `credits_remaining` when known'

export const creditsClauses = {
  'CRED-NOT-NEGATIVE': must('The credits used by a turn are not negative.', implied(turn, consumed)),
  'CRED-BALANCE': must(
    'The credits left after a turn are those before less those used.',
    implied(turn, [consumed, left]),
  ),
  'CRED-BALANCE-STREAM': must(
    'The same holds for streamed turns.',
    implied(turn, [quoted.finalFields, left]),
  ),
  'CRED-BALANCE-CONCURRENT': must(
    'The same holds over turns that run at once.',
    implied(turn, [consumed, left]),
  ),
  'CRED-REFUSAL-FREE': must(
    'A refused request consumes no credits.',
    implied(table, 'credits are consumed when the turn completes'),
  ),
  'CRED-EMPTY-STATUS': must(
    'A turn that the credits left do not cover is refused with 402.',
    stated(empty, insufficient, exhausted),
  ),
  'CRED-EMPTY-CODE': must(
    'That refusal names `INSUFFICIENT_CREDITS`.',
    stated(empty, insufficient, exhausted),
  ),
  'CRED-EMPTY-AMOUNTS': must(
    '`credits_required` and `credits_remaining`, where the refusal has them, are amounts.',
    implied(empty, amounts, exhausted),
  ),
  'CRED-EMPTY-SHORT': must(
    'Where the refusal has both amounts, what is left is not more than what is required.',
    implied(empty, [insufficient, amounts], exhausted),
  ),
  'CRED-EMPTY-STREAM': must(
    'The same refusal comes when a stream was asked for.',
    implied(empty, [insufficient, 'Chat errors are a flat JSON object with a text `error`'], exhausted),
  ),
} as const
