/** Discovery is authoritative: a scenario executes only operations that its key was shown in the same run. */
import type { ExecuteRequest } from '../../scenario/operations-driver.ts'
import type { Driver } from '../../scenario/scenario.ts'
import type { One } from '../../scenario/exchange-names.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answersJson, unfound } from '../assertions/catalogue.ts'
import { discoveredIn, type Discovered } from '../assertions/pointers/pointer-discovery.ts'
import type { OperationFixture } from '../../config/target.ts'

export const listPath = '/api/v1/operations'

/** The operations of the key: what it was shown before in this run counts. Ends the scenario where it was no list. */
export async function discovered<N extends string>(
  t: Driver<N>,
  name: One<N>,
): Promise<readonly Discovered[]> {
  return operationsIn(t, t.shownBefore(listPath) ?? (await t.discover(name)))
}

export function operationsIn<N extends string>(t: Driver<N>, list: Exchange): readonly Discovered[] {
  const known = ['agent_setup.inspect', ...t.operations.map(({ id }) => id)]
  const found = discoveredIn(list, t.dialect, known)
  if (found) return found
  const judged = answersJson(list)
  return t.stop(judged.is === 'fail' ? `discovery was answered with ${judged.got}` : unfound, judged)
}

/** The operation as the key was shown it; ends the scenario if it was not. */
export function mustBeListed<N extends string>(
  t: Driver<N>,
  list: readonly Discovered[],
  { id }: Pick<OperationFixture, 'id'>,
): Discovered {
  const found = list.find((one) => one.id === id)
  return found ?? t.stop(`${id} is not in the list of this key, so it is not executed`)
}

/** Discovers the operations, and requires that of the scenario to be among them. */
export async function discoverOwn<N extends string>(t: Driver<N>, name: One<N>): Promise<Discovered> {
  return mustBeListed(t, await discovered(t, name), t.operation)
}

/** Reads that are expected to complete: they have no effect and need no approval. */
export function readsOf<N extends string>({ operations }: Driver<N>): readonly OperationFixture[] {
  return operations.filter(({ write, receipt }) => !write && receipt === 'completed')
}

/** The most operations of one kind that a scenario executes. */
export const mostAlike = 8

/**
 * Executes the operation of the scenario under `name`, then every other declared one with the same receipt that is
 * listed and matches, as `more`. Default: a write only beside a write.
 */
export async function executeAlike<N extends string>(
  t: Driver<N | 'list' | 'more[]'>,
  name: One<N>,
  fits: (operation: OperationFixture) => boolean = ({ write }) => !write || t.operation.write === true,
  asked?: ExecuteRequest,
): Promise<void> {
  const { operation, operations, dialect } = t
  const list = await discovered(t, 'list')
  mustBeListed(t, list, operation)
  await t.execute(name, operation, asked)
  const others = operations.filter(
    (one) =>
      one !== operation &&
      // A draft changes data that the scenario about drafts compares.
      one.name !== dialect.design?.draft &&
      one.receipt === operation.receipt &&
      fits(one) &&
      list.some(({ id }) => id === one.id),
  )
  for (const one of others.slice(0, mostAlike - 1)) await t.executeMore('more', one)
}

/** The same for any operation, and for the read that shows how often it was done. */
export async function discoverWithEffect<N extends string>(
  t: Driver<N>,
  name: One<N>,
  operation: OperationFixture,
): Promise<void> {
  const list = await discovered(t, name)
  mustBeListed(t, list, operation)
  const read = t.operations.find((fixture) => fixture.name === operation.effect?.operation)
  if (read) mustBeListed(t, list, read)
}
