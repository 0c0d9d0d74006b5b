/** Which declared operation a scenario is run with, and which may be executed at all. */
import type { OperationFixture, Target } from '../../config/target.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import { harmless, readOnlyEnds } from './read-only.ts'
import type { OperationNeed } from '../../scenario/scenario.ts'

/** The first that fits and may be run; or why there is none. */
export function chooseOperation(
  need: OperationNeed,
  target: Pick<Target, 'fixtures' | 'optIn' | 'readOnly'>,
): OperationFixture | ScenarioEnded {
  const { fixtures } = target
  const fitting = fixtures.operations
    .filter((operation) => fits(operation, need))
    .toSorted((one, other) => (need.effect ? Number(!one.effect) - Number(!other.effect) : 0))
  const chosen = fitting.find(({ write }) => !write || mayWrite(target))
  if (chosen) return chosen
  const [held] = fitting
  return held ? writeHeld(held.name, target) : notExercised('fixture-missing', missingWords(need))
}

function mayWrite({ optIn, readOnly }: Pick<Target, 'optIn' | 'readOnly'>): boolean {
  return !readOnly && optIn.includes('writes')
}

function writeHeld(name: string, { readOnly }: Pick<Target, 'readOnly'>): ScenarioEnded {
  return readOnly
    ? readOnlyEnds(`would execute ${name}, which writes`)
    : notExercised('opt-in-required', `${name} writes; allow that with \`optIn: [writes]\``)
}

function fits(operation: OperationFixture, { receipt, write, effect, doneWithin }: OperationNeed): boolean {
  return (
    operation.receipt === receipt &&
    (write === undefined || write === (operation.write ?? false)) &&
    (effect !== true || operation.effect !== undefined) &&
    (!doneWithin || operation.doneWithinSeconds !== undefined)
  )
}

function missingWords({ receipt, write, effect, doneWithin }: OperationNeed): string {
  const what = write === undefined ? 'operation' : write ? 'write' : 'read'
  const lines = [
    'fixtures:',
    '  operations:',
    '    <a name of your own>:',
    '      id: <as discovery gives it>',
    '      input: {}',
    `      receipt: ${receipt}`,
    ...(write ? ['      write: true'] : []),
    ...(effect === true
      ? ['      effect: { operation: <the name of a read>, count: /data/<where it counts them> }']
      : []),
    ...(doneWithin
      ? ['      doneWithinSeconds: <within how long its work is done if its task is never read>']
      : []),
  ]
  const shown =
    effect === true
      ? ' and shows how often it was done'
      : doneWithin
        ? ' and declares `doneWithinSeconds`'
        : ''
  return `no ${what} is declared that leads to ${receipt}${shown}; declare one:\n${lines.join('\n')}`
}

/**
 * Why a scenario may not execute this, or null. Only what the target file names is executed, and of that a write only
 * where writes are allowed: whatever else a service lists may do anything.
 */
export function forbidden(
  operation: OperationFixture | string,
  target: Pick<Target, 'kind' | 'fixtures' | 'optIn' | 'readOnly'>,
): ScenarioEnded | null {
  const { kind, fixtures } = target
  const id = typeof operation === 'string' ? operation : operation.id
  const declared = fixtures.operations.filter((fixture) => fixture.id === id)
  if (declared.some(({ write }) => write) && !mayWrite(target)) return writeHeld(id, target)
  if (declared.length > 0 || kind === 'simulator') return null
  if (harmless(id)) return null
  return notExercised(
    'fixture-missing',
    `the operation ${id} is not declared, so it is not executed; declare it under \`fixtures.operations\``,
  )
}
