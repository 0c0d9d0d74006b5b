/**
 * Drawn courses over two tasks that have ended: reads, waits, the same request again, reads by another key. Held
 * against the one thing that the contract says of the order of states: a final state stays. A course that fails is
 * made small.
 */
import * as fc from 'fast-check'
import { overSequences, type SequenceJudge } from '../../models/sequences.ts'
import { sequences, runModelTest, requestsOf, type Extent } from '../../models/run-model-test.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario, type PrincipalNeed } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import { everyRead, hasKnownState, isFinal, readable, stateShown, staysFinal } from '../assertions/task.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { looks, patience } from './polling.ts'
import { longOperations, mustBegin, readToItsEnd, type Begun } from './task-requests.ts'

type Names = 'receipts[]' | 'tasks[]' | 'others[]'
type Teller = Driver<Names>

interface Step {
  is: 'read' | 'readByOther' | 'again' | 'wait'
  /** Which of the two. */
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

/** Has each kind of step, with reads before and after. */
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

const steps: Readonly<Record<Step['is'], (t: Teller, task: Begun, other: string) => Promise<unknown>>> = {
  read: (t, { path }) => t.readMore('tasks', path),
  readByOther: (t, { path }, other) =>
    other === 'self' ? t.readMore('tasks', path) : t.readMore('others', path, { as: other }),
  wait: (t) => t.settle(500),
  again: (t, { operation, request }) =>
    request.key === undefined ? t.wait(0) : t.executeMore('receipts', operation, request),
}

/** The most requests until a task is begun and has ended. */
const toItsEnd = 1 + looks.long + looks.short

/** Work may end by itself in its time; what does not is brought to its end. */
async function beginAndEnd(t: Teller, operation: Begun['operation']): Promise<Begun> {
  const task = await mustBegin(t, 'receipts', operation)
  const read = await readToItsEnd(t, 'tasks', task.path, patience.long)
  if (isFinal(stateShown(read, t.dialect))) return task
  await t.enter('task.finished', { taskId: task.taskId, operationId: operation.id })
  await readToItsEnd(t, 'tasks', task.path, patience.short)
  return task
}

/** Whatever is drawn, each task is read once more after it. */
async function walk(t: Teller, course: readonly Step[], other: string): Promise<void> {
  const tasks: Begun[] = []
  const [first = t.operation, second = first] = longOperations(t)
  for (const operation of [first, second]) tasks.push(await beginAndEnd(t, operation))
  for (const { is, at } of course) {
    const task = tasks[at % tasks.length]
    if (task) await steps[is](t, task, other)
  }
  for (const { path } of tasks) await t.readMore('tasks', path)
}

/** Who has another key sees the same task, where that key sees it at all. */
const isRead = ({ request: { method } }: Exchange): boolean => method === 'GET'
const isOwnRead = (one: Exchange): boolean => one.name === 'tasks'

const judges = {
  'TASK-FINAL': (course, { dialect }) => staysFinal(course.filter(isRead), dialect),
  'TASK-READ': (course) => everyRead(course.filter(isOwnRead), readable),
  'TASK-STATE-KNOWN': (course, { dialect }) =>
    everyRead(course.filter(isOwnRead), (one) => hasKnownState(one, dialect)),
} as const satisfies Readonly<Record<string, SequenceJudge>>

const exchanges = ({ receipts, tasks, others }: NamedExchanges<Names>) => [...receipts, ...tasks, ...others]

const history = (extent: Extent, profile: Profile, other?: PrincipalNeed) => {
  const size = { ...extent, beside: 2 * toItsEnd + 2 }
  return scenario({
    title: `in ${extent.runs} drawn courses over two tasks${other ? ' by two keys' : ''} no final state is left again`,
    exchanges: ['receipts[]', 'tasks[]', 'others[]'],
    needs: {
      operation: { receipt: 'accepted' },
      ...(other ? { others: { other }, extra: true } : {}),
    },
    cost: { requests: requestsOf(size), turns: 0 },
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

export const drawn = history({ runs: 3, longest: 10, shrinkRequests: 220, confirm: 1 }, 'standard')
export const long = history({ runs: 6, longest: 24, shrinkRequests: 300, confirm: 3 }, 'exhaustive')
export const secondKey = history({ runs: 3, longest: 8, shrinkRequests: 220, confirm: 1 }, 'standard', {
  kind: 'second-of-account',
})
