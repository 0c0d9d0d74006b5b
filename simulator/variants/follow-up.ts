/** Tasks, approvals and uploads that go another way than most, and arrive all the same. */
import type { Task, Approval } from '../tenant/operations/store.ts'
import { finalTaskStates } from '../../spec/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { onOperationBody } from '../modification/operation-changes.ts'
import { continuesAsTask } from '../tenant/operations/operation.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { memberText } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'

/** Added to an id: what follows the dot is left out where it is looked up. */
const odd = ".a+b~c:d@e=(f),g!&h;i*j'k$"

function renamed(body: JsonObject, { operations }: TenantState, end: string): JsonObject {
  const [taskId, approvalId] = [memberText(body['task_id']), memberText(body['approval_id'])]
  return {
    ...body,
    ...(operations.tasks.has(taskId) && { task_id: taskId + end }),
    ...(operations.approvals.has(approvalId) && { approval_id: approvalId + end }),
  }
}

const plainId = (id: string): string => id.split('.', 1)[0] ?? id

const open = 'Transitions between task states are not shown.'

export const followUpVariants = {
  'task-at-its-end-at-once': variant({
    title: 'A task is at its end before anybody reads it.',
    allowed: open,
    rules: () => ({ paceOf: () => ({ by: 'at-once' }) }),
  }),
  'task-slow': variant({
    title: 'A task takes four seconds for each of its states.',
    allowed: 'How long the work of a task takes is not shown.',
    rules: () => ({ paceOf: () => ({ by: 'time', stepMs: 4_000 }) }),
  }),
  'task-of-many-reads': variant({
    title: 'A task is read twice in every state before it moves on, and begins as running.',
    allowed: open,
    rules: () => ({
      taskPace: { by: 'reads', reads: 2 },
      taskPath: ({ ends }) => ['running', ends],
    }),
  }),
  'task-back-and-forth': variant({
    title: 'A task goes from queued to running and back twice before its end.',
    allowed: open,
    rules: () => ({
      taskPath: ({ ends }) => ['queued', 'running', 'queued', 'running', 'queued', ends],
    }),
  }),
  'task-shown-from-a-cache': variant({
    title:
      'A read shows a task as it was at the read before, or at its start, and looks it up anew for the next.',
    allowed: 'That a read shows at once what was done is not stated.',
    rules: (rules) => {
      const kept = new WeakMap<Task, JsonObject>()
      return {
        taskBody: (task, ...rest) => {
          const body = rules.taskBody(task, ...rest)
          const shown = kept.get(task) ?? { ...body, state: 'queued' }
          kept.set(task, body)
          return shown
        },
      }
    },
  }),
  'report-needs-input': variant({
    title: 'A report asks its owner for something before it is built.',
    allowed: open,
    rules: (rules) => ({
      performs: (operation, ...rest) =>
        operation.id === 'reports.build'
          ? continuesAsTask({ ends: 'cancelled', asksOwner: true })
          : rules.performs(operation, ...rest),
    }),
  }),
  'task-and-approval-with-more': variant({
    title: 'Tasks and approvals carry many members more, some of them other each time.',
    allowed: 'Fields of task and approval records beyond their identifiers are not shown.',
    remember: () => {
      let read = 0
      return onOperationBody(
        ({ task, approval }, { status, body }) =>
          (task !== undefined || approval !== undefined) && status === 200 && isObject(body),
        (body) => ({
          kind: 'record',
          read: ++read,
          progress: { percent: (read * 7) % 100, status: 'failed', note: 'state: completed' },
          states: [...finalTaskStates],
          owner: null,
          ...body,
        }),
      )
    },
  }),
  'task-and-approval-oddly-named': variant({
    title:
      'Ids of tasks and approvals hold every character that a part of a path may hold, and each receipt has another of them.',
    allowed: 'What an id looks like is not shown, nor that there is one alone.',
    // No approval is decided under such an id here, so no effect shows that it is the same.
    warns: ['EXEC-RETRY-ONE-RUN'],
    rules: (was) => ({
      findTask: (id, ...rest) => was.findTask(plainId(id), ...rest),
      findApproval: (id, ...rest) => was.findApproval(plainId(id), ...rest),
    }),
    remember() {
      let count = 0
      return {
        reply: (reply, _call, state) =>
          reply.kind === 'json' && isObject(reply.body)
            ? { ...reply, body: renamed(reply.body, state, `${odd}${++count}`) }
            : reply,
      }
    },
  }),
  'approval-in-its-time': variant({
    title: 'An approval takes a second to show what was decided.',
    allowed: 'That it shows at once is not stated.',
    rules: (rules) => {
      const known = new WeakMap<Approval, number>()
      return {
        approvalBody: (approval, state) => {
          const now = state.clock.now()
          const since = known.get(approval) ?? now
          if (approval.decision) known.set(approval, since)
          const body = rules.approvalBody(approval, state)
          return now - since < 1_000 ? { id: approval.id, state: 'pending' } : body
        },
      }
    },
  }),
  'approved-work-as-task': variant({
    title: 'What was approved goes on as a task, and is done when that ends.',
    allowed: 'Once the owner approves the work continues; how is not shown.',
    rules: (rules) => ({
      performs: (operation, job, state) =>
        operation.approval ? continuesAsTask() : rules.performs(operation, job, state),
    }),
  }),
} as const satisfies Record<string, Variant>
