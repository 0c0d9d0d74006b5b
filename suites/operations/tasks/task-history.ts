/**
 * Model-based test of two ended tasks: reads, waits, repeated requests, reads by another key. The only rule is that
 * of the contract: a final state stays. A failing sequence is shrunk.
 */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario, type PrincipalNeed, type Driver } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import {
  everyRead,
  hasKnownState,
  isFinal,
  readableTask,
  stateShown,
  staysFinal,
} from '../assertions/task.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { mostPolls, pollIntervals } from './polling.ts'
import { longOperations, mustBegin, readToItsEnd, type Begun } from './task-requests.ts'

type Names = 'receipts[]' | 'tasks[]' | 'others[]'
type TaskDriver = Driver<Names>

interface Step {
  is: 'read' | 'readByOther' | 'again' | 'wait'
  /** Index of the task. */
  at: number
}

const weights: Readonly<Record<Step['is'], number>> = { read: 5, readByOther: 2, again: 2, wait: 1 }

const step: fc.Arbitrary<Step> = fc.record({
  is: fc.oneof(
    ...(Object.keys(weights) as readonly Step['is'][]).map((is) => ({
      weight: weights[is],
      arbitrary: fc.constant(is),
    })),
  ),
  at: fc.nat(1),
})

const read: Step = { is: 'read', at: 0 }

/** Has each kind of command, with reads before and after. */
const opening: readonly Step[] = [
  read,
  read,
  read,
  { is: 'readByOther', at: 0 },
  { is: 'again', at: 0 },
  read,
  { is: 'wait', at: 0 },
  read,
]

const steps: Readonly<Record<Step['is'], (t: TaskDriver, task: Begun, other: string) => Promise<unknown>>> = {
  read: (t, { path }) => t.readMore('tasks', path),
  readByOther: (t, { path }, other) =>
    other === 'self' ? t.readMore('tasks', path) : t.readMore('others', path, { as: other }),
  wait: (t) => t.settle(500),
  again: (t, { operation, request }) =>
    request.key === undefined ? t.wait(0) : t.executeMore('receipts', operation, request),
}

/** The most requests until a task has started and ended. */
const toItsEnd = 1 + mostPolls.long + mostPolls.short

/** Work may end by itself within its time; otherwise it is ended. */
async function beginAndEnd(t: TaskDriver, operation: Begun['operation']): Promise<Begun> {
  const task = await mustBegin(t, 'receipts', operation)
  const read = await readToItsEnd(t, 'tasks', task.path, pollIntervals.long)
  if (isFinal(stateShown(read, t.dialect))) return task
  await t.enter('task.finished', { taskId: task.taskId, operationId: operation.id })
  await readToItsEnd(t, 'tasks', task.path, pollIntervals.short)
  return task
}

/** Each task is read once more after the sequence. */
async function walk(t: TaskDriver, course: readonly Step[], other: string): Promise<void> {
  const tasks: Begun[] = []
  const [first = t.operation, second = first] = longOperations(t)
  for (const operation of [first, second]) tasks.push(await beginAndEnd(t, operation))
  for (const { is, at } of course) {
    const task = tasks[at % tasks.length]
    if (task) await steps[is](t, task, other)
  }
  for (const { path } of tasks) await t.readMore('tasks', path)
}

/** A reader with another key sees the same task, if at all. */
const isRead = ({ request: { method } }: Exchange): boolean => method === 'GET'
const isOwnRead = (one: Exchange): boolean => one.name === 'tasks'

const judges = {
  'TASK-FINAL': (course, { dialect }) => staysFinal(course.filter(isRead), dialect),
  'TASK-READ': (course) => everyRead(course.filter(isOwnRead), readableTask),
  'TASK-STATE-KNOWN': (course, { dialect }) =>
    everyRead(course.filter(isOwnRead), (one) => hasKnownState(one, dialect)),
} as const satisfies Readonly<Record<string, SequenceJudge>>

const exchanges = ({ receipts, tasks, others }: NamedExchanges<Names>) => [...receipts, ...tasks, ...others]

const taskScenario = (extent: Extent, profile: Profile, other?: PrincipalNeed) => {
  const size = { ...extent, beside: 2 * toItsEnd + 2 }
  return scenario({
    title: `in ${extent.runs} random sequences over two tasks${other ? ' by two keys' : ''} no finished task changes state`,
    exchanges: ['receipts[]', 'tasks[]', 'others[]'],
    needs: {
      operation: { receipt: 'accepted' },
      ...(other ? { others: { other }, extra: true } : {}),
    },
    cost: { requests: mostRequestsOf(size), turns: 0 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...size,
        sequence: sequences(step, extent),
        first: [opening.slice(0, extent.longest)],
        run: (course) => walk(t, course, other ? 'other' : 'self'),
        judges,
      }),
    judge: overSequences(judges, exchanges),
  })
}

export const drawn = taskScenario({ runs: 2, longest: 10, shrinkRequests: 220, confirm: 1 }, 'standard')
export const long = taskScenario({ runs: 6, longest: 24, shrinkRequests: 300, confirm: 3 }, 'exhaustive')
export const secondKey = taskScenario({ runs: 2, longest: 8, shrinkRequests: 220, confirm: 1 }, 'standard', {
  kind: 'second-of-account',
})
