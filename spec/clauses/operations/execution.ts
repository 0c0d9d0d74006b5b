import { advised, implied, must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const run = 'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}'
const inspect = 'Endpoints, Operations catalog, last paragraph'
const sameKey = 'write requests pass the same idempotency key on retry'

export const executionClauses = {
  'EXEC-RECEIPT': must(
    'Executing a permitted operation is answered with a receipt.',
    stated(run, 'response is an operation receipt'),
  ),
  'EXEC-LISTED': must(
    'An operation in the list that has no route of its own can be executed here.',
    stated(run, 'Runs any permitted operation that has no route of its own'),
  ),
  'EXEC-INPUT': must(
    'Input that fits the schema of the operation is not refused as invalid.',
    implied(run, 'Body is the input defined by the discovery schema'),
  ),
  'EXEC-INPUT-INVALID': should(
    'Input that does not fit the schema never leads to a completed receipt.',
    advised(run),
  ),
  'EXEC-UNKNOWN': must(
    'An operation id that does not exist never leads to a completed receipt.',
    implied(run, ['Runs any permitted operation', quoted.discoveryRules]),
  ),
  'EXEC-INSPECT-AGENT': must(
    '`agent_setup.inspect` takes the agent as `agentId`, and is run.',
    stated(inspect, '`agent_setup.inspect` takes `agentId`'),
  ),
  'EXEC-INSPECT-AGENT-REQUIRED': should('Without `agentId` it does not complete.', advised(inspect)),
  'EXEC-RETRY-ONE-RUN': must(
    'A write sent again with its idempotency key is not done twice.',
    implied(run, sameKey),
  ),
  'EXEC-RETRY-RACE': must(
    'A write sent twice at once with one idempotency key is done once.',
    implied(run, sameKey),
  ),
  'EXEC-DRAFT': must(
    'A draft of an agent design leaves the live agent as it is.',
    stated(
      'Endpoints, Client behaviour, draft of an agent design',
      'A draft of an agent design does not publish live changes',
      { observe: 'state' },
    ),
  ),
} as const
