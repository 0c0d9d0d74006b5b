/** Runs a command line within this process: nothing has to be started, and many do at once. */
import { commandOf, withHome } from '../../cli/client/command-task.ts'
import type { ClientRunner } from '../../suites/clients/execution/client-runner.ts'
import type { CommandTask } from '../../suites/clients/execution/task.ts'
import { vendorVariables } from '../../cli/vendor.ts'
import type { Identifiers } from '../../spec/index.ts'
import type { Program } from '../broken-command-lines.ts'

type Place = Omit<Parameters<typeof commandOf>[1], 'words' | 'env'>

/** `vendor`: what the program is told of the service, as `touchstone client` tells it. */
export function performing(
  program: Program,
  vendor: { vendor?: string; identifiers?: Identifiers } = {},
): ClientRunner {
  const told = Object.fromEntries(
    Object.entries(vendorVariables(vendor)).filter(([, value]) => value !== undefined),
  )
  const perform = (task: Pick<CommandTask, 'words' | 'env' | 'stdin'>, { home, service: stage }: Place) => {
    const {
      words,
      env,
      stdin = '',
    } = commandOf(task, { ...vendor, words: [], env: told, home, service: stage })
    return program(words, { home, env, read: () => Promise.resolve(stdin) })
  }
  return {
    concurrency: 8,
    lingerMs: 0,
    runStep: ({ service: stage, task }) =>
      withHome(async (home) => {
        if (task.do !== 'command') throw new Error(`a command line is not asked to ${task.do}`)
        for (const before of task.beforehand ?? []) await perform(before, { home, service: stage })
        const { code, out, err } = await perform(task, { home, service: stage })
        return { ended: 'exit', exitCode: code, reported: [], stdout: out, stderr: err }
      }),
    close: () => Promise.resolve(),
  }
}
