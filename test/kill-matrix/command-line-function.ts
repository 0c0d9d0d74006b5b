/** Runs a command line in this process, so that many tasks run concurrently without processes. */
import { commandFor, withHome } from '../../cli/client/process-runner.ts'
import type { CommandTask, ClientRunner } from '../../suites/clients/execution/task.ts'
import { vendorVariables } from '../../cli/vendor.ts'
import type { Identifiers } from '../../spec/index.ts'
import type { Program } from '../broken-command-lines.ts'

type Place = Omit<Parameters<typeof commandFor>[1], 'words' | 'env'>

/** `vendor`: passed to the program in environment variables, as by `touchstone client`. */
export function commandLineRunner(
  program: Program,
  vendor: { vendor?: string; identifiers?: Identifiers } = {},
): ClientRunner {
  const variables = Object.fromEntries(
    Object.entries(vendorVariables(vendor)).filter(([, value]) => value !== undefined),
  )
  const runTask = (task: Pick<CommandTask, 'words' | 'env' | 'stdin'>, { home, service }: Place) => {
    const {
      words,
      env,
      stdin = '',
    } = commandFor(task, { ...vendor, words: [], env: variables, home, service })
    return program(words, { home, env, read: () => Promise.resolve(stdin) })
  }
  return {
    concurrency: 8,
    lingerMs: 0,
    runStep: ({ service, task }) =>
      withHome(async (home) => {
        if (task.do !== 'command') throw new Error(`a command line cannot run task ${task.do}`)
        for (const before of task.beforehand ?? []) await runTask(before, { home, service })
        const { code, out, err } = await runTask(task, { home, service })
        return { ended: 'exit', exitCode: code, reported: [], stdout: out, stderr: err }
      }),
    close: () => Promise.resolve(),
  }
}
