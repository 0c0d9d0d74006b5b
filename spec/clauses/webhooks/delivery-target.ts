import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const endpoint = 'Resources, Webhook resource, endpoint_url'
const blocked = 'Authentication, Webhook delivery signing, 4; Limits, Webhook targets'
const sender = { actor: 'sender', observe: 'state' } as const
const https = 'Must be HTTPS'
const isBlocked = 'Delivery to private IP ranges and internal networks is blocked'

export const deliveryTargetClauses = {
  'TGT-HTTPS': must('A webhook with an HTTPS endpoint can be created.', stated(endpoint, https)),
  'TGT-HTTP': must('A webhook with a plain HTTP endpoint is refused.', stated(endpoint, quoted.httpsOnly)),
  'TGT-HTTP-UPDATE': must(
    'An endpoint cannot be changed to plain HTTP.',
    implied(endpoint, quoted.httpsOnly),
  ),
  'TGT-NO-DOWNGRADE': must(
    'What cannot be delivered over HTTPS is not delivered over plain HTTP.',
    implied(endpoint, [https, quoted.httpsOnly], sender),
  ),
  'TGT-NOT-URL': must('An endpoint that is not a URL is refused.', implied(endpoint, https)),
  'TGT-LOCALHOST': must(
    'In development an endpoint at localhost need not be HTTPS.',
    stated(endpoint, 'localhost is allowed for development', { observe: 'state' }),
  ),
  'TGT-PRIVATE': must(
    'Nothing is delivered to an address in 10/8, 172.16/12 or 192.168/16.',
    stated(blocked, isBlocked, sender),
  ),
  'TGT-INTERNAL': must(
    'Nothing is delivered to a loopback, link-local or unique local address, development apart.',
    implied(blocked, isBlocked, sender),
  ),
  'TGT-SPELLING': must(
    'Another spelling of a blocked address, such as one number, is blocked too.',
    implied(blocked, isBlocked, sender),
  ),
  'TGT-RESOLVED': must(
    'A name that resolves to a blocked address is blocked too.',
    implied(blocked, isBlocked, sender),
  ),
  'TGT-REDIRECT': must(
    'A redirect never leads a delivery to a blocked address, or to plain HTTP.',
    implied(blocked, [isBlocked, quoted.httpsOnly], sender),
  ),
} as const
