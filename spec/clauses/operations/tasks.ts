import { implied, must, stated } from '../../clause.ts'

const read = 'Endpoints, Operations catalog, GET /api/v1/tasks/{taskId}'
const states = 'States and transitions, Task states'
const task = { observe: 'state' } as const
const reads = 'Reads a durable task'

export const tasksClauses = {
  'TASK-READ': must('The task of an accepted receipt is answered 200 with JSON.', stated(read, reads, task)),
  'TASK-STATE': must(
    'A task has a string `state`.',
    stated('Resources, Operation receipt, last paragraph', 'A task has a `state`', task),
  ),
  'TASK-STATE-KNOWN': must(
    '`state` is `queued`, `running`, `input_required`, `completed`, `failed` or `cancelled`.',
    stated(states, '`queued`, `running`, `input_required`, `completed`, `failed`, `cancelled`', task),
  ),
  'TASK-FINAL': must(
    'A task that is completed, failed or cancelled stays so.',
    stated(states, 'Only the last three are final', { state: 'task.finished' }),
  ),
  'TASK-DURABLE': must(
    'A task can still be read after the client that began it went away.',
    implied(
      'Resources, Operation receipt, accepted',
      'Work continues as a durable task; poll the task',
      task,
    ),
  ),
  'TASK-CONTINUES': must(
    'The work of a task continues while the task is not read.',
    implied(
      'Resources, Operation receipt, accepted',
      'Work continues as a durable task; poll the task',
      task,
    ),
  ),
  'TASK-UNKNOWN': must('A task that does not exist is not answered with a state.', implied(read, reads)),
} as const
