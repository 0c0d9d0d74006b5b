import { must, should } from '../../clause.ts'

const chat = 'Authentication, Chat and operations'
const implied = { basis: 'implied' } as const
const unauthorized = '401 means the key is invalid or missing'

export const authClauses = {
  'AUTH-MISSING': must('A request without an API key is refused with 401.', `${chat}, 5`, unauthorized),
  'AUTH-UNKNOWN': must(
    'A request with a key that is not valid is refused with 401.',
    `${chat}, 5`,
    unauthorized,
  ),
  'AUTH-SCHEME': should('A key sent with another scheme than Bearer is refused with 401.', `${chat}, 1`, {
    basis: 'advised',
  }),
  'AUTH-EMPTY': must(
    'A Bearer scheme without a key is refused with 401.',
    `${chat}, 5`,
    unauthorized,
    implied,
  ),
  'AUTH-STREAM': must(
    'The same refusal comes when a stream was asked for.',
    `${chat}, 5`,
    unauthorized,
    implied,
  ),
  'AUTH-NO-CHAT': must(
    'A key without the scope `chat` is refused with 403.',
    `${chat}, 4 and 5`,
    '403 means the key lacks `chat`',
  ),
  'AUTH-AGENT-SCOPE': must(
    'A key restricted to one agent is refused with 403 at another.',
    `${chat}, 5`,
    'is outside its agent scope',
  ),
  'AUTH-AGENT-OWN': must(
    'A key restricted to one agent works there.',
    `${chat}, 2`,
    'optionally restricted to a single agent',
    implied,
  ),
  'AUTH-PLAN': must(
    'An agent that the plan does not allow is refused with 403.',
    `${chat}, 5`,
    'or the plan does not allow the agent',
    {
      state: 'plan.disallows',
    },
  ),
  'AUTH-AGENT-UNKNOWN': must(
    'An agent that does not exist is answered 404.',
    'Errors, Chat status codes, 404',
    '404 | agent not found',
  ),
  'AUTH-AGENT-FOREIGN': should('An agent of another account is not reachable.', `${chat}, 5`, {
    basis: 'advised',
  }),
  'AUTH-KEY-PREFIX': must('API keys begin with `sk-`.', `${chat}, 2`, 'Keys begin with `sk-`'),
  'AUTH-KEY-ONCE': must(
    'An API key is shown once, at its creation.',
    `${chat}, 2`,
    'are shown once, at creation',
    { observe: 'inside' },
  ),
  'AUTH-NO-ECHO': should('An API key is never repeated in an answer.', `${chat}, 3`, { basis: 'advised' }),
} as const
