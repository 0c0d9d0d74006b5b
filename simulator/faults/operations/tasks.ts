/** Tasks that cannot be read, say what no task says, do not end when they have ended, or are read by nobody's id. */
import type { Task } from '../../operations/store.ts'
import { finalTaskStates } from '../../../spec/index.ts'
import { jsonReply, type JsonReply } from '../../server/reply.ts'
import { isObject } from '../../json.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { asText, memberText } from '../../modification/changes.ts'
import { apiKeyOfCall } from '../../modification/asked.ts'
import { fault, type Modification, type Fault, type TenantHooks } from '../../modification/modification.ts'

const isFinal = ({ state }: Task): boolean => finalTaskStates.some((final) => final === state)

/** Changes the answers of reads that found a task. */
function onTask(change: (reply: JsonReply) => ReturnType<NonNullable<TenantHooks['reply']>>): TenantHooks {
  return {
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'task' && reply.status === 200
        ? change(reply)
        : reply,
  }
}

/** Shows another state where it gives one. */
function showing(state: (task: Task) => string | number | null): NonNullable<Modification['rules']> {
  return (plain) => ({
    taskBody: (task, rules) => {
      const shown = state(task)
      return { ...plain.taskBody(task, rules), ...(shown === null ? {} : { state: shown }) }
    },
  })
}

const reading = {
  'task-accepted': fault({
    title: 'A task is answered 202.',
    breaks: ['TASK-READ', 'RCPT-ACCEPTED-TASK'],
    ...onTask((reply) => ({ ...reply, status: 202 })),
  }),
  'task-as-text': fault({
    title: 'A task comes as text/plain.',
    breaks: ['TASK-READ', 'RCPT-ACCEPTED-TASK'],
    ...onTask((reply) => asText(reply, 'text/plain', JSON.stringify(reply.body))),
  }),
  'task-state-numbered': fault({
    title: 'The state of a task is a number.',
    breaks: ['TASK-STATE'],
    rules: showing(({ ahead }) => ahead.length),
  }),
  'task-state-done': fault({
    title: 'A task that is completed says that it is done.',
    breaks: ['TASK-STATE-KNOWN'],
    rules: showing(({ state }) => (state === 'completed' ? 'done' : null)),
  }),
  'task-state-waiting': fault({
    title: 'A task that needs input says that it is waiting.',
    breaks: ['TASK-STATE-KNOWN'],
    rules: showing(({ state }) => (state === 'input_required' ? 'waiting' : null)),
  }),
  'task-state-in-progress': fault({
    title: 'A task that is running says that it is in progress.',
    breaks: ['TASK-STATE-KNOWN'],
    rules: showing(({ state }) => (state === 'running' ? 'in_progress' : null)),
  }),
} as const satisfies Record<string, Fault>

/** Tasks that were begun once more after they had ended. */
const restarted = new WeakSet<Task>()

function restart(reply: JsonReply, { operations }: TenantState): void {
  const id = isObject(reply.body) ? memberText(reply.body['task_id']) : ''
  const task = operations.tasks.get(id)
  if (task && isFinal(task)) restarted.add(task)
}

const ending = {
  'task-moves-again': fault({
    title: 'A task that was read five times after its end is running again.',
    breaks: ['TASK-FINAL'],
    rules: showing((task) => (isFinal(task) && task.reads >= 5 ? 'running' : null)),
  }),
  'task-end-changes': fault({
    title: 'A completed task is failed from its fourth read on.',
    breaks: ['TASK-FINAL'],
    rules: showing(({ state, reads }) => (state === 'completed' && reads >= 3 ? 'failed' : null)),
  }),
  'task-restarted-by-its-key': fault({
    title: 'Sending the request again with its key sets a task that has ended going again.',
    breaks: ['TASK-FINAL'],
    rules: showing((task) => (restarted.has(task) ? 'running' : null)),
    reply: (reply, _call, state) => {
      if (reply.kind === 'json' && reply.about.operation === 'execute') restart(reply, state)
      return reply
    },
  }),
  'task-end-for-one-key': fault({
    title: 'Only the key that began a task sees its end, another one of the account sees it running.',
    breaks: ['TASK-FINAL'],
    remember: () => {
      const readers = new Map<string, string>()
      return {
        reply: (reply, call, state) => {
          const { about } = reply
          if (reply.kind !== 'json' || reply.status !== 200 || about.task === undefined) return reply
          const token = apiKeyOfCall(call, state)?.token ?? ''
          const first = readers.get(about.task) ?? token
          readers.set(about.task, first)
          const { body } = reply
          return first === token || !isObject(body)
            ? reply
            : { ...reply, body: { ...body, state: 'running' } }
        },
      }
    },
  }),
} as const satisfies Record<string, Fault>

const continuing = {
  'task-moves-only-when-read': fault({
    title: 'The work of a task goes on one step with each read of the task, and not otherwise.',
    breaks: ['TASK-CONTINUES'],
    rules: () => ({ paceOf: () => ({ by: 'reads', reads: 1 }) }),
  }),
} as const satisfies Record<string, Fault>

const finding = {
  'task-of-its-connection': fault({
    title: 'A task is found on the connection alone that it was begun on.',
    breaks: ['TASK-DURABLE', 'TASK-READ'],
    rules: (rules) => ({
      findTask: (id, apiKey, call, state) => {
        const task = rules.findTask(id, apiKey, call, state)
        return task?.connection === call.connection ? task : null
      },
    }),
  }),
  'task-by-beginning': fault({
    title: 'Of the id of a task only the first ten characters count.',
    breaks: ['TASK-UNKNOWN'],
    rules: (rules) => ({
      findTask: (id, apiKey, call, state) => {
        const ids = [...state.operations.tasks.keys()]
        const known = ids.findLast((other) => other.slice(0, 10) === id.slice(0, 10))
        return rules.findTask(known ?? id, apiKey, call, state)
      },
    }),
  }),
  'unknown-task-completed': fault({
    title: 'A task that does not exist is reported as completed, as if it had been cleared away.',
    breaks: ['TASK-UNKNOWN', 'SCOPE-FOREIGN', 'TASK-FINAL'],
    reply: (reply) =>
      reply.kind === 'json' && reply.about.operation === 'task' && [403, 404].includes(reply.status)
        ? jsonReply(200, { id: reply.about.task ?? '', state: 'completed' }, reply.about)
        : reply,
  }),
} as const satisfies Record<string, Fault>

export const taskFaults = { ...reading, ...ending, ...continuing, ...finding }
