/** Lists of operations that say too much, too little, or nothing of what is needed. */
import { withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { forbidding, onAnswer, onRows, unguarded } from '../../modification/operation-changes.ts'

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
  'operations-without-schemas': fault({
    title: 'The list of operations shows no input schemas.',
    breaks: ['OPS-SCHEMA'],
    ...onRows((row) => withoutMembers(row, 'inputSchema')),
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
  'unlisted-executed': fault({
    title: 'An operation that a key is not shown runs for it all the same.',
    breaks: ['OPS-UNLISTED-REFUSED', 'SCOPE-INSPECT', 'SCOPE-READ-AGENTS'],
    rules: unguarded('scope', ({ route }) => route === null || route.path === '/api/v1/agents'),
  }),
  'list-forgets-one': fault({
    title: 'The list leaves out an operation that every key may run.',
    breaks: ['OPS-UNLISTED-REFUSED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.id !== 'payments.list' && was.isListed(operation, apiKey, state),
    }),
  }),
  'listed-and-forbidden': fault({
    title:
      'A key that is restricted to an agent is shown operations that are about no agent, and refused them.',
    breaks: ['OPS-LISTED-PERMITTED'],
    rules: (was) => ({
      isListed: (operation, apiKey, state) =>
        operation.agentMember === null && apiKey.agent !== null
          ? operation.scope === null || apiKey.scopes.includes(operation.scope)
          : was.isListed(operation, apiKey, state),
      ...forbidding(
        'The API key is restricted to an agent.',
        ({ agent }, { agentMember }) => agent !== null && agentMember === null,
      )(was),
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
