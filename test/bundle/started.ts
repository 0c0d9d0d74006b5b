/** Real processes, to be killed and to be kept from writing. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  err: string
}

export interface Started {
  /** It stays where it is, and is still there. */
  halt(): void
  kill(): void
  ended: Promise<Ended>
}

/** What was compiled once is not compiled again for each; where files may not grow, nothing is written but what is meant. */
const compiledOnce = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/touchstone'),
}
const compiledAnew = { NODE_DISABLE_COMPILE_CACHE: '1' }

/** `script`: relative to the repository, or absolute. `limit`: the most KiB that it may write to one file. */
export function start(script: string, words: readonly string[], limit?: number): Started {
  const all = [process.execPath, resolve(import.meta.dirname, '../..', script), ...words]
  // A signal that is ignored stays so in the program that takes the place of the shell.
  const [program = '', ...rest] =
    limit === undefined ? all : ['bash', '-c', `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`, 'bash', ...all]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(limit === undefined ? compiledOnce : compiledAnew) },
  })
  let err = ''
  child.stderr.on('data', (text: Buffer) => (err += text.toString()))
  const ended = new Promise<Ended>((ending, failed) => {
    child.once('error', failed)
    child.once('close', (code, signal) => ending({ code, signal, err }))
  })
  return { halt: () => void child.kill('SIGSTOP'), kill: () => void child.kill('SIGKILL'), ended }
}
