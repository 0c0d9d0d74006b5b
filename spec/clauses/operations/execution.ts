import { must, should } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const run = 'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}'
const inspect = 'Endpoints, Operations catalog, last paragraph'
const implied = { basis: 'implied' } as const
const advised = { basis: 'advised' } as const
const sameKey = 'write requests pass the same idempotency key on retry'

export const executionClauses = {
  'EXEC-RECEIPT': must(
    'Executing a permitted operation is answered with a receipt.',
    run,
    'response is an operation receipt',
  ),
  'EXEC-LISTED': must(
    'An operation in the list that has no route of its own can be executed here.',
    run,
    'Runs any permitted operation that has no route of its own',
  ),
  'EXEC-INPUT': must(
    'Input that fits the schema of the operation is not refused as invalid.',
    run,
    'Body is the input defined by the discovery schema',
    implied,
  ),
  'EXEC-INPUT-INVALID': should(
    'Input that does not fit the schema never leads to a completed receipt.',
    run,
    advised,
  ),
  'EXEC-UNKNOWN': must(
    'An operation id that does not exist never leads to a completed receipt.',
    run,
    ['Runs any permitted operation', quoted.discoveryRules],
    implied,
  ),
  'EXEC-INSPECT-AGENT': must(
    '`agent_setup.inspect` takes the agent as `agentId`, and is run.',
    inspect,
    '`agent_setup.inspect` takes `agentId`',
  ),
  'EXEC-INSPECT-AGENT-REQUIRED': should('Without `agentId` it does not complete.', inspect, advised),
  'EXEC-RETRY-ONE-RUN': must(
    'A write sent again with its idempotency key is not done twice.',
    run,
    sameKey,
    implied,
  ),
  'EXEC-RETRY-RACE': must(
    'A write sent twice at once with one idempotency key is done once.',
    run,
    sameKey,
    implied,
  ),
  'EXEC-DRAFT': must(
    'A draft of an agent design leaves the live agent as it is.',
    'Endpoints, Client behaviour, draft of an agent design',
    'A draft of an agent design does not publish live changes',
    { observe: 'state' },
  ),
} as const
