/** Tasks that cannot be read, say what no task says, do not end when they have ended, or are read by nobody's id. */
import type { Task } from '../../tenant/operations/store.ts'
import { jsonReply, type JsonReply } from '../../edge/reply.ts'
import { fault, type Modification, type Fault, type TenantHooks } from '../../modification/modification.ts'

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
  'task-state-numbered': fault({
    title: 'The state of a task is a number.',
    breaks: ['TASK-STATE'],
    rules: showing(({ ahead }) => ahead.length),
  }),
  'task-state-in-progress': fault({
    title: 'A task that is running says that it is in progress.',
    breaks: ['TASK-STATE-KNOWN'],
    rules: showing(({ state }) => (state === 'running' ? 'in_progress' : null)),
  }),
} as const satisfies Record<string, Fault>

const ending = {
  'task-end-changes': fault({
    title: 'A completed task is failed from its fourth read on.',
    breaks: ['TASK-FINAL'],
    rules: showing(({ state, reads }) => (state === 'completed' && reads >= 3 ? 'failed' : null)),
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
