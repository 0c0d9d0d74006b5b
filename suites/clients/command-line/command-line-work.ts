/** What a command line makes of work that goes on, or waits for the owner. */
import type { Context } from '../../scenario/scenario.ts'
import { fail, check, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { successful, whereSuccessful } from '../assertions/request.ts'
import { command, commandScenario, erasing, importing, maySendNothing } from './command.ts'
import { ifControlSucceeded, stepResult, sentTo } from '../assertions/step-result.ts'
import { acceptedAndThrough, heldForApproval, routes, script } from '../execution/step.ts'
import type { ClientStep } from '../client-scenario.ts'

const runs = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'execution')

/** Commands may take their time between two reads. */
const through = (limitMs: number, ...states: readonly string[]): ClientStep => ({
  ...command(importing, {
    networkFaults: acceptedAndThrough(...states),
  }),
  limitMs,
})

/** It ended as if all were well, said so, and has no word for work that is not over. */
function saysDone(context: Context, step: string): string | null {
  const { ended, exitCode, stdout = '', stderr = '' } = stepResult(context, step) ?? {}
  const printed = `${stdout}\n${stderr}`
  const isOver =
    ended === 'exit' && exitCode === 0 && /\b(complete[ds]?|done|finished|succe\w+)\b/i.test(printed)
  const isOpen = /approv|pending|held|owner|wait|review|queue|running|progress|unfinished/i.test(printed)
  return isOver && !isOpen ? printed.trim() : null
}

const slowly = [...Array<string>(6).fill('queued'), ...Array<string>(6).fill('running')]

export const longTask = commandScenario({
  title: 'a command reads a task that takes its time to its end, or does not say that it is done',
  steps: { task: through(60_000, ...slowly, 'completed') },
  judge: {
    'LIB-TASK-NOT-DONE': ({ task }, context) =>
      whereSuccessful(runs(task), () => {
        const reads = successful(sentTo(task, 'task'))
        if (reads.length > slowly.length) return pass
        const printed = saysDone(context, 'task')
        if (printed === null)
          return inconclusive('it left the task before its end, and does not say that it is done')
        return fail('work that is not done', excerpt(printed), task.at(-1))
      }),
  },
})

export const heldWork = commandScenario({
  title: 'a command does not call work done that waits for the owner',
  steps: {
    held: command(importing, { networkFaults: heldForApproval }),
  },
  judge: {
    'LIB-APPROVAL': ({ held: sent }, context) =>
      whereSuccessful(runs(sent), () => {
        const printed = saysDone(context, 'held')
        return check(printed === null, 'work that waits', excerpt(printed ?? ''), sent.at(-1))
      }),
  },
})

const erased = { networkFaults: script(routes.execution, [{ status: 'completed', data: { found: true } }]) }
const erase = (...more: readonly string[]): ClientStep => command([...erasing, ...more], erased)

/** Which commands are destructive is for the program to know; that its output is JSON makes none of them less so. */
export const confirmAsJson = commandScenario({
  title: 'what needs `--confirm` needs it with `--json`, too',
  steps: {
    confirmed: erase('--confirm'),
    plain: maySendNothing(erase()),
    json: maySendNothing(erase('--json')),
  },
  judge: {
    'CLI-CONFIRM': ({ confirmed, plain, json }) =>
      ifControlSucceeded(runs(confirmed), () => {
        if (runs(plain).length > 0) return notApplicable('it asks for no confirmation of this operation')
        const [first] = runs(json)
        return check(!first, 'nothing sent without --confirm', 'the operation', first)
      }),
  },
})
