import { advised, implied, must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const rate = 'Limits, Chat rate'
const body = 'Errors, Chat status codes, last paragraph'
const limited = { state: 'rate.limited' } as const
const perMinute = '60 requests per minute per API key'
const members = 'body also carries `retry_after_seconds`, `limit` and `remaining`'
const backsOff = 'the client backs off before retrying'

export const rateLimitClauses = {
  'RATE-UPPER': must(
    'More than 120 requests of one key within a minute meet a 429.',
    implied(rate, perMinute, limited),
  ),
  'RATE-LOWER': must(
    'A key that sends requests more than a second apart never meets a 429.',
    implied(rate, perMinute),
  ),
  'RATE-PER-KEY': must(
    'A key that is limited does not limit another, and is limited at every agent.',
    implied(rate, perMinute, limited),
  ),
  'RATE-BODY-RETRY': must(
    'The body of a 429 has `retry_after_seconds`, a number that is not negative or a text of one.',
    stated(body, members, limited),
  ),
  'RATE-BODY-LIMIT': must('The body of a 429 has `limit`.', stated(body, members, limited)),
  'RATE-BODY-REMAINING': must(
    'The body of a 429 has `remaining`, which is less than `limit`.',
    stated(body, members, limited),
  ),
  'RATE-STREAM-JSON': must(
    'A key that is limited is refused, as JSON, also when a stream was asked for.',
    implied(body, ['Chat errors are a flat JSON object with a text `error`', members], limited),
  ),
  'RATE-RECOVERS': should(
    'After `retry_after_seconds` a request is accepted again.',
    advised(body, [], limited),
  ),
  'RATE-KEY-USABLE': must(
    'A request that met a 429 can be sent again with its idempotency key.',
    implied(body, [backsOff, quoted.keyUnseen], limited),
  ),
  'RATE-HEADERS': must(
    'Chat answers carry rate-limit headers.',
    stated('Limits, last paragraph before the gaps', 'Rate-limit headers are included on chat responses'),
  ),
} as const
