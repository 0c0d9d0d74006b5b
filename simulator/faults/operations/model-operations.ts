/** Tasks and approvals that go wrong only after a certain course of requests. */
import { finalTaskStates } from '../../../spec/index.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { apiKeyOfCall } from '../../modification/asked.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Who has read a task that had ended, and whether it was asked for again since another did. */
interface Seen {
  readers: Set<string>
  isAskedAgain: boolean
}

const seenIn = new WeakMap<TenantState, Map<string, Seen>>()

function seenOf(state: TenantState, task: string): Seen {
  const all = seenIn.get(state) ?? new Map<string, Seen>()
  const seen = all.get(task) ?? { readers: new Set<string>(), isAskedAgain: false }
  seenIn.set(state, all.set(task, seen))
  return seen
}

export const operationModelFaults = {
  'shared-task-restarted-by-its-key': fault({
    title: 'A task that has ended and was read by two keys runs again once its request is sent again.',
    breaks: ['TASK-FINAL'],
    rules: (was, state) => ({
      taskBody: (task, rules) => ({
        ...was.taskBody(task, rules),
        ...(seenOf(state, task.id).isAskedAgain ? { state: 'running' } : {}),
      }),
    }),
    reply: (reply, call, state) => {
      const { operation, task: id } = reply.about
      if (reply.kind !== 'json' || reply.status >= 300) return reply
      if (operation === 'task' && id !== undefined) {
        const task = state.operations.tasks.get(id)
        if (task && finalTaskStates.some((final) => final === task.state))
          seenOf(state, id).readers.add(apiKeyOfCall(call, state)?.token ?? '')
      }
      if (operation === 'execute')
        for (const [of, seen] of seenIn.get(state) ?? [])
          if (seen.readers.size > 1 && JSON.stringify(reply.body).includes(of)) seen.isAskedAgain = true
      return reply
    },
  }),
} as const satisfies Record<string, Fault>
