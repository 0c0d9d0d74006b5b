import { implied, must, stated } from '../../clause.ts'

const rules = 'Authentication, Webhook delivery signing'
const sender = { actor: 'sender' } as const
const hex = 'hex encoded, 64 characters'
const hmac = 'HMAC-SHA256, keyed with the secret, over the exact raw JSON request body'

export const signingClauses = {
  'SIGN-HEADER': must(
    'Every delivery, a test too, carries `{signatureHeader}`.',
    stated('Events, Webhook deliveries, headers', 'HTTP POST with these headers', sender),
  ),
  'SIGN-PREFIX': must(
    'Its value begins with `sha256=`.',
    stated(`${rules}, 2`, 'sent as `sha256=<hex_digest>` in header', sender),
  ),
  'SIGN-LENGTH': must('64 characters follow the prefix.', stated(`${rules}, 2`, hex, sender)),
  'SIGN-HEX': must('These are hexadecimal digits.', stated(`${rules}, 2`, hex, sender)),
  'SIGN-VALUE': must(
    'They are the HMAC-SHA256 of the body, keyed with the secret of the webhook.',
    stated(`${rules}, 2`, hmac, sender),
  ),
  'SIGN-RAW': must(
    'What is signed are the bytes that were sent, also where the body holds text beyond ASCII.',
    stated(`${rules}, 2`, 'over the exact raw JSON request body', sender),
  ),
  'SIGN-RETRY': must(
    'Every attempt carries a signature of its own body.',
    implied(`${rules}, 2`, hmac, sender),
  ),
  'SIGN-SECRET-OWN': must(
    'No two webhooks have the same secret.',
    implied(`${rules}, 1`, 'Each webhook has a secret generated at creation'),
  ),
} as const
