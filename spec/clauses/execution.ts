import { must } from '../clause.ts'

const run = 'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}'
const inspect = 'Endpoints, Operations catalog, last paragraph'
const implied = { basis: 'implied' } as const

export const execution = {
  'EXEC-RECEIPT': must('Executing a permitted operation is answered with a receipt.', run),
  'EXEC-LISTED': must('An operation in the list that has no route of its own can be executed here.', run),
  'EXEC-INPUT': must('Input that fits the schema of the operation is not refused as invalid.', run, implied),
  'EXEC-INPUT-INVALID': must(
    'Input that does not fit the schema never leads to a completed receipt.',
    run,
    implied,
  ),
  'EXEC-UNKNOWN': must(
    'An operation id that does not exist never leads to a completed receipt.',
    run,
    implied,
  ),
  'EXEC-INSPECT-AGENT': must('`agent_setup.inspect` takes the agent as `agentId` and completes.', inspect),
  'EXEC-INSPECT-AGENT-REQUIRED': must('Without `agentId` it does not complete.', inspect, implied),
  'EXEC-RETRY-ONE-RUN': must('A write sent again with its idempotency key is not done twice.', run, implied),
  'EXEC-RETRY-RACE': must('A write sent twice at once with one idempotency key is done once.', run, implied),
  'EXEC-DRAFT': must(
    'A draft of an agent design leaves the live agent as it is.',
    'Endpoints, Client behaviour, draft of an agent design',
    { observe: 'state' },
  ),
} as const
