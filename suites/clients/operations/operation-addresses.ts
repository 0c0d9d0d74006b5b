/** Ids of operations, tasks and approvals that an address has to encode. */
import type { Judgement } from '../../scenario/judgement.ts'
import { all, fail, every, inconclusive, notApplicable } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { segmentIs, whereSuccessful } from '../assertions/request.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, inspectOperation, routes, script } from '../execution/scripted-replies.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import type { ExecuteTask } from '../execution/task.ts'

const running = (operation: string): ClientStep => ({
  task: { do: 'execute', operation, input: { agentId: 'agent-by-the-harbour' } },
  service: { networkFaults: script(routes.execution, [completedReceipt({ live: {} })]) },
})
const executing = (operation: string): ClientStep => ({ ...running(operation), maySendNothing: true })

const operations = { slash: 'harbour/lamps', percent: 'harbour%2Flamps', letters: 'häfen.lampen' } as const

/** A client may refuse what is not in its package. */
export const operationIds = clientScenario({
  title: 'an operation id is one part of the address, whatever is in it',
  steps: {
    twin: running(inspectOperation),
    slash: executing(operations.slash),
    percent: executing(operations.percent),
    letters: executing(operations.letters),
  },
  judge: {
    'LIB-OPERATIONS': ({ twin, slash, percent, letters }) =>
      ifControlSucceeded(sentTo(twin, 'execution'), () =>
        all(
          runsAt(slash, operations.slash),
          runsAt(percent, operations.percent),
          runsAt(letters, operations.letters),
        ),
      ),
  },
})

function runsAt(exchanges: readonly Exchange[], id: string): Judgement {
  const [first] = exchanges.filter(({ request }) => request.method === 'POST')
  if (!first) return notApplicable(`it does not run the operation ${id}, which is in no package`)
  const [run] = sentTo([first], 'execution')
  const beginning = '/api/v1/operation-executions/'
  return run
    ? segmentIs(run, beginning, id)
    : fail(beginning + encodeURIComponent(id), first.request.path, first)
}

const awkwardTaskIds = { slash: 'tasks/7', percent: 'task%2F7', letters: 'tâche 7' } as const

const importing: ExecuteTask = {
  do: 'execute',
  operation: 'customers.import',
  input: { customers: [{ name: 'Ada', email: 'ada@example.com' }] },
  idempotencyKey: 'import-of-one-customer',
}
const limitMs = 30_000

/** As a receipt of the service names it, under every name that it might have there. */
function taskNamed(id: string): ClientStep {
  const receipt: Json = { status: 'accepted', task_id: id, taskId: id, task: { id } }
  const read: Json = { id, task_id: id, taskId: id, state: 'completed' }
  return {
    task: importing,
    service: { networkFaults: [...script(routes.execution, [receipt]), ...script(routes.task, [read])] },
    limitMs,
  }
}

export const taskIds = clientScenario({
  title: 'a task id is one part of the address, whatever is in it',
  steps: {
    plain: taskNamed('task_of_the_harbour'),
    slash: taskNamed(awkwardTaskIds.slash),
    percent: taskNamed(awkwardTaskIds.percent),
    letters: taskNamed(awkwardTaskIds.letters),
  },
  judge: {
    'LIB-TASK-WAIT': ({ plain, slash, percent, letters }) =>
      ifControlSucceeded(sentTo(plain, 'task'), () =>
        all(
          readsAt(slash, awkwardTaskIds.slash),
          readsAt(percent, awkwardTaskIds.percent),
          readsAt(letters, awkwardTaskIds.letters),
        ),
      ),
  },
})

function readsAt(exchanges: readonly Exchange[], id: string): Judgement {
  return whereSuccessful(sentTo(exchanges, 'execution'), () => {
    const reads = sentTo(exchanges, 'task')
    if (reads.length === 0) return inconclusive(`the task ${id} was not read`)
    return every(reads, (read) => segmentIs(read, '/api/v1/tasks/', id))
  })
}
