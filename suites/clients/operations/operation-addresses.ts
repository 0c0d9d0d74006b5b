/** Where requests go whose operation or task has an id of unusual characters. */
import type { Exchange, Json } from '../../wire/exchange.ts'
import { addressesSeen } from '../assertions/request.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, executing, routes, script } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import type { ExecuteTask } from '../execution/task.ts'

const running = (operation: string): ClientStep => ({
  ...executing(completedReceipt({ live: {} }), { operation }),
  maySendNothing: true,
})

const operations = { slash: 'harbour/lamps', percent: 'harbour%2Flamps', letters: 'häfen.lampen' } as const

export const operationIds = clientScenario({
  title: 'the address of an operation id with a slash, a percent sign or a letter that is not ASCII',
  steps: {
    twin: executing(completedReceipt({ live: {} })),
    slash: running(operations.slash),
    percent: running(operations.percent),
    letters: running(operations.letters),
  },
  judge: {},
  observe: {
    'GAP-CLIENT-IDS': (steps) =>
      ifControlSucceeded(sentTo(steps.twin, 'execution'), () => addressesSeen(operations, steps, posted)),
  },
})

function posted(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ request }) => request.method === 'POST')
}

const awkwardTaskIds = { slash: 'tasks/7', percent: 'task%2F7', letters: 'tâche 7' } as const

const importing: ExecuteTask = {
  do: 'execute',
  operation: 'customers.import',
  input: { customers: [{ name: 'Ada', email: 'ada@example.com' }] },
  idempotencyKey: 'import-of-one-customer',
}

/** As a receipt of the service names it, under every name that it might have there. */
function taskNamed(id: string): ClientStep {
  const receipt: Json = { status: 'accepted', task_id: id, taskId: id, task: { id } }
  const read: Json = { id, task_id: id, taskId: id, state: 'completed' }
  return {
    task: importing,
    service: { networkFaults: [...script(routes.execution, [receipt]), ...script(routes.task, [read])] },
  }
}

export const taskIds = clientScenario({
  title: 'the address of a task id with a slash, a percent sign or a space',
  steps: {
    plain: taskNamed('task_of_the_harbour'),
    slash: taskNamed(awkwardTaskIds.slash),
    percent: taskNamed(awkwardTaskIds.percent),
    letters: taskNamed(awkwardTaskIds.letters),
  },
  judge: {},
  observe: {
    'GAP-CLIENT-IDS': (steps) =>
      ifControlSucceeded(sentTo(steps.plain, 'task'), () =>
        addressesSeen(awkwardTaskIds, steps, (sent) => sentTo(sent, 'task')),
      ),
  },
})
