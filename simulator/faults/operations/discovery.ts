/** Lists of operations that say too much, too little, or nothing of what is needed. */
import { fault, type Fault } from '../../modification/modification.ts'
import { onAnswer, onRows } from '../../modification/operation-changes.ts'

const isList = ({ operation }: { operation: string }): boolean => operation === 'discover'

export const discoveryFaults = {
  'operations-created': fault({
    title: 'The list of operations is answered 201.',
    breaks: ['OPS-LIST'],
    ...onAnswer(
      (about, { status }) => isList(about) && status === 200,
      (reply) => ({ ...reply, status: 201 }),
    ),
  }),
  'schema-of-inspection-for-all': fault({
    title: 'Every operation is listed with the input schema of `agent_setup.inspect`.',
    breaks: ['OPS-SCHEMA'],
    ...onRows((row) => ({ ...row, inputSchema: { type: 'object', required: ['agentId'] } })),
  }),
  'inspection-listed-for-all': fault({
    title: 'Every key is shown `agent_setup.inspect`.',
    breaks: ['OPS-PER-KEY', 'OPS-LISTED-PERMITTED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.id === 'agent_setup.inspect' || was.isListed(operation, apiKey, state),
    }),
  }),
  'list-empty-for-restricted-key': fault({
    title: 'A key that is restricted to an agent is shown no operation, and may run them.',
    breaks: ['OPS-UNLISTED-REFUSED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) => apiKey.agent === null && was.isListed(operation, apiKey, state),
    }),
  }),
} as const satisfies Record<string, Fault>
