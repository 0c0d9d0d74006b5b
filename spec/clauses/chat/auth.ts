import { advised, implied, must, should, stated } from '../../clause.ts'

const chat = 'Authentication, Chat and operations'
const unauthorized = '401 means the key is invalid or missing'

export const authClauses = {
  'AUTH-MISSING': must(
    'A request without an API key is refused with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'AUTH-UNKNOWN': must(
    'A request with a key that is not valid is refused with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'AUTH-SCHEME': should(
    'A key sent with another scheme than Bearer is refused with 401.',
    advised(`${chat}, 1`),
  ),
  'AUTH-EMPTY': must(
    'A Bearer scheme without a key is refused with 401.',
    implied(`${chat}, 5`, unauthorized),
  ),
  'AUTH-STREAM': must(
    'The same refusal comes when a stream was asked for.',
    implied(`${chat}, 5`, unauthorized),
  ),
  'AUTH-NO-CHAT': must(
    'A key without the scope `chat` is refused with 403.',
    stated(`${chat}, 4 and 5`, '403 means the key lacks `chat`'),
  ),
  'AUTH-AGENT-SCOPE': must(
    'A key restricted to one agent is refused with 403 at another.',
    stated(`${chat}, 5`, 'is outside its agent scope'),
  ),
  'AUTH-AGENT-OWN': must(
    'A key restricted to one agent works there.',
    implied(`${chat}, 2`, 'optionally restricted to a single agent'),
  ),
  'AUTH-PLAN': must(
    'An agent that the plan does not allow is refused with 403.',
    stated(`${chat}, 5`, 'or the plan does not allow the agent', { state: 'plan.disallows' }),
  ),
  'AUTH-AGENT-UNKNOWN': must(
    'An agent that does not exist is answered 404.',
    stated('Errors, Chat status codes, 404', '404 | agent not found'),
  ),
  'AUTH-AGENT-FOREIGN': should('An agent of another account is not reachable.', advised(`${chat}, 5`)),
  'AUTH-KEY-PREFIX': must('API keys begin with `sk-`.', stated(`${chat}, 2`, 'Keys begin with `sk-`')),
  'AUTH-KEY-ONCE': must(
    'An API key is shown once, at its creation.',
    stated(`${chat}, 2`, 'are shown once, at creation', { observe: 'inside' }),
  ),
  'AUTH-NO-ECHO': should('An API key is never repeated in an answer.', advised(`${chat}, 3`)),
} as const
