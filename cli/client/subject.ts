/** The client under test, from the options. Throws a UsageError. */
import { clientCalled, type ClientSubject } from '../../suites/clients/subject.ts'
import { actions, type Action } from '../../suites/clients/execution/task.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { vendorStated } from '../../suites/config/sections/service.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { vendorFrom } from '../vendor.ts'
import type { ClientOptions } from './options.ts'
import { displayedCommand } from './command-words.ts'

export function clientSubject(words: readonly string[], options: ClientOptions): ClientSubject {
  const { as, can, maxRequests, maxMinutes, policy } = options
  const plain = clientCalled(options.name ?? displayedCommand(words), { as })
  const { budgets } = plain
  const { vendor, identifiers } = vendorFrom(options)
  return {
    ...plain,
    ...vendorStated(vendor, identifiers),
    can: can === undefined ? plain.can : abilities(can, as),
    budgets: {
      ...budgets,
      requests: maxRequests ?? budgets.requests,
      wallSeconds: maxMinutes === undefined ? budgets.wallSeconds : maxMinutes * 60,
    },
    policy: policy === undefined ? emptyPolicy : loadPolicy(policy, realClock().wall().slice(0, 10)),
  }
}

const tasks: readonly Action[] = actions.filter((action) => action !== 'command')

function abilities(names: readonly string[], as: ClientOptions['as']): readonly Action[] {
  if (as === 'command-line')
    throw new UsageError('--can with --as command-line: a command line is asked for everything; use --only.')
  if (names.length === 0) throw new UsageError(`--can: name at least one of ${tasks.join(', ')}.`)
  const unknown = names.find((name) => !tasks.some((task) => task === name))
  if (unknown !== undefined)
    throw new UsageError(`--can ${unknown}: unknown action; ${alternatives(unknown, tasks)}`)
  return tasks.filter((task) => names.includes(task))
}
