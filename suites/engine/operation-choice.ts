/** Which declared operation a story is told with, and which may be executed at all. */
import type { OperationFixture, Target } from '../target/target.ts'
import { notExercised, type StoryEnded } from './ending.ts'
import type { OperationNeed } from './scenario.ts'

/** The first that fits and may be run; or why there is none. */
export function chooseOperation(
  need: OperationNeed,
  { fixtures, optIn }: Pick<Target, 'fixtures' | 'optIn'>,
): OperationFixture | StoryEnded {
  const fitting = fixtures.operations.filter((operation) => fits(operation, need))
  const chosen = fitting.find(({ write }) => !write || optIn.includes('writes'))
  if (chosen) return chosen
  const [held] = fitting
  return held
    ? notExercised('opt-in-required', `${held.name} writes; allow that with \`optIn: [writes]\``)
    : notExercised('fixture-missing', missingWords(need))
}

function fits(operation: OperationFixture, { receipt, write, effect }: OperationNeed): boolean {
  return (
    operation.receipt === receipt &&
    (write === undefined || write === (operation.write ?? false)) &&
    (!effect || operation.effect !== undefined)
  )
}

function missingWords({ receipt, write, effect }: OperationNeed): string {
  const what = write === undefined ? 'operation' : write ? 'write' : 'read'
  const lines = [
    'fixtures:',
    '  operations:',
    '    <a name of your own>:',
    '      id: <as discovery gives it>',
    '      input: {}',
    `      receipt: ${receipt}`,
    ...(write ? ['      write: true'] : []),
    ...(effect
      ? ['      effect: { operation: <the name of a read>, count: /data/<where it counts them> }']
      : []),
  ]
  const shown = effect ? ' and shows how often it was done' : ''
  return `no ${what} is declared that leads to ${receipt}${shown}; declare one:\n${lines.join('\n')}`
}

/** What the contract itself names, and only reads. */
const readsOfContract: readonly string[] = ['agent_setup.inspect']

/** Ids of ours that no service has. */
export const nowhere = 'touchstone.'

/**
 * Why a story may not execute this, or null. Only what the target file names is executed, and of that a write only
 * where writes are allowed: whatever else a service lists may do anything.
 */
export function forbidden(
  operation: OperationFixture | string,
  { kind, fixtures, optIn }: Pick<Target, 'kind' | 'fixtures' | 'optIn'>,
): StoryEnded | null {
  const id = typeof operation === 'string' ? operation : operation.id
  const declared = fixtures.operations.filter((fixture) => fixture.id === id)
  if (declared.some(({ write }) => write) && !optIn.includes('writes'))
    return notExercised('opt-in-required', `${id} writes; allow that with \`optIn: [writes]\``)
  if (declared.length > 0 || kind === 'simulator') return null
  if (readsOfContract.includes(id) || id.startsWith(nowhere)) return null
  return notExercised(
    'fixture-missing',
    `the operation ${id} is not declared, so it is not executed; declare it under \`fixtures.operations\``,
  )
}
