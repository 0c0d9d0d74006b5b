/** `touchstone exec`: runs a simulator for as long as a command runs. */
import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Io } from '../io.ts'
import { openSimulator } from '../simulate/open.ts'
import type { SimulatorTenantOptions } from '../simulate/tenant-options.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret } from '../values.ts'
import { vendorVariables } from '../vendor.ts'
import { environmentOf, fillArguments, placeholderValues } from './placeholders.ts'

/** Returns the exit code of the command. Throws a UsageError if it cannot be started. */
export async function runExec(
  words: readonly string[],
  options: SimulatorTenantOptions,
  io: Io,
): Promise<number> {
  const { controlToken: reference } = options
  const token = reference === undefined ? undefined : headerSecret('--control-token', reference, io.env)
  const { simulator, ready } = await openSimulator(options, { host: '127.0.0.1', port: 0 }, io)
  try {
    const values = placeholderValues(ready, token)
    const given = { ...environmentOf(values, ready.identifiers), ...vendorVariables(ready) }
    return await run(fillArguments(words, values), { ...io.env, ...given }, io)
  } finally {
    await simulator.close()
  }
}

async function run(words: readonly string[], env: Io['env'], io: Io): Promise<number> {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...env } })
  const forget = io.signals((name) => void child.kill(name))
  try {
    return await ended(child, program)
  } finally {
    forget()
  }
}

/** What to do about a command that does not start. */
const advice: Readonly<Record<string, string>> = {
  ENOENT: 'command not found; give one that is on the PATH, or the path of a file',
  EACCES: 'permission denied; make it executable, or put its interpreter before it',
}

function ended(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const known = advice[codeOf(error)] ?? `${codeOf(error)}; look at the command after --`
      reject(new UsageError(`cannot run ${JSON.stringify(program)}: ${known}.`))
    })
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : 128 + numberOf(signal)))
  })
}

const numberOf = (signal: NodeJS.Signals): number => constants.signals[signal]
