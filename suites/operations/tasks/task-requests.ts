/** Starts the task of an operation and reads it. */
import type { Dialect } from '../../config/dialect.ts'
import type { ExecuteRequest } from '../../scenario/operations-driver.ts'
import type { Driver } from '../../scenario/scenario.ts'
import type { Many } from '../../scenario/exchange-names.ts'
import { isFinal, stateShown } from '../assertions/task.ts'
import type { OperationFixture } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { pollUntil } from './polling.ts'

export interface Begun {
  operation: OperationFixture
  taskId: string
  path: string
  request: ExecuteRequest
}

export const taskPath = (id: string): string => `/api/v1/tasks/${encodeURIComponent(id)}`

/** Every operation that leads to a task and may be executed, the one of the scenario first. */
export function longOperations<N extends string>(t: Driver<N>): readonly OperationFixture[] {
  const { operation } = t
  const others = t.operations.filter(
    (other) => other !== operation && other.receipt === 'accepted' && (!other.write || operation.write),
  )
  return [operation, ...others]
}

export async function begin<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  operation: OperationFixture,
): Promise<Begun | null> {
  const request = { input: t.inputOf(operation), ...(operation.write ? { key: t.key() } : {}) }
  const taskId = t.taskOf(await t.executeMore(name, operation, request))
  return taskId === null ? null : { operation, taskId, path: taskPath(taskId), request }
}

export async function mustBegin<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  operation: OperationFixture,
): Promise<Begun> {
  const begun = await begin(t, name, operation)
  return begun ?? t.stop(`the receipt of ${operation.id} shows no id of a task`)
}

/** Reads it until it is over, by default in a final state, or the timeout has passed. */
export function readToItsEnd<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  path: string,
  gaps: readonly number[],
  isOver = (read: Exchange, dialect: Dialect): boolean => isFinal(stateShown(read, dialect)),
): Promise<Exchange> {
  return pollUntil(
    t,
    gaps,
    () => t.readMore(name, path),
    (read) => isOver(read, t.dialect),
  )
}
