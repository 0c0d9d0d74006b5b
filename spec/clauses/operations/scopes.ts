import { advised, implied, must, should, stated } from '../../clause.ts'

const chat = 'Authentication, Chat and operations'
const unauthorized = '401 means the key is invalid or missing'
const inspect = '`agent_design_read` | the `agent_setup.inspect` operation'

export const scopesClauses = {
  'SCOPE-NO-KEY': must(
    'A catalog, task, approval or billing route refuses a call without a key with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'SCOPE-UNKNOWN-KEY': must(
    'Each of these routes refuses a key that is not valid with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'SCOPE-INSPECT': must(
    '`agent_setup.inspect` is refused to a key without `agent_design_read`.',
    stated(`${chat}, 4`, inspect),
  ),
  'SCOPE-INSPECT-GRANTED': must(
    '`agent_setup.inspect` runs for a key with `agent_design_read`.',
    implied(`${chat}, 4`, inspect),
  ),
  'SCOPE-READ-AGENTS': must(
    'Listing agents is refused to a key without `read_agents`. That it takes another scope, too, is warned of.',
    stated(`${chat}, 4`, '`read_agents` | listing agents'),
  ),
  'SCOPE-AGENT': must(
    'A key restricted to one agent cannot run an operation on another.',
    implied(`${chat}, 2 and 5`, ['optionally restricted to a single agent', 'is outside its agent scope']),
  ),
  'SCOPE-FOREIGN': should(
    'Tasks, approvals and webhooks of another account are out of reach.',
    advised(`${chat}, 5`, [], { observe: 'state' }),
  ),
} as const
