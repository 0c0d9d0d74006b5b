/** Runs a command in its own process group, so that no process of it survives. */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Clock } from '../../suites/wire/clock.ts'

export interface Command {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd?: string
  /** Text for standard input, which is then closed. */
  stdin?: string
}

export interface ProcessResult {
  ended: 'exit' | 'timeout'
  exitCode: number | null
}

export interface OutputHandlers {
  out: (bytes: Uint8Array) => void
  err: (bytes: Uint8Array) => void
}

/** How long pipes may stay open that a detached child of the command has inherited. */
const pipesMs = 500

/**
 * Runs a command until it exits, `limitMs` have passed or the signal fires; then kills its process group. The exit code
 * is 127 if it cannot be started.
 */
export async function runCommand(
  { words: [program = '', ...words], env, cwd, stdin }: Command,
  output: OutputHandlers,
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
): Promise<ProcessResult> {
  const child = spawn(program, words, {
    env: { ...env },
    detached: true,
    stdio: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  })
  child.stdout.on('data', output.out)
  child.stderr.on('data', output.err)
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined)
  child.stdin.end(stdin ?? '')
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output.err(Buffer.from(`${program} cannot be run: ${error.message}\n`))
      resolve(127)
    })
    child.once('exit', (code) => resolve(code))
  })
  const over = new AbortController()
  const limit = clock.sleep(limitMs, AbortSignal.any([signal, over.signal])).then(() => 'limit' as const)
  const first = await Promise.race([exited, limit])
  killGroup(child.pid)
  const exitCode = await exited
  await Promise.race([closed, clock.sleep(pipesMs, over.signal)])
  over.abort()
  release(child)
  return first === 'limit' ? { ended: 'timeout', exitCode: null } : { ended: 'exit', exitCode }
}

/** Closes the pipes, because a process outside the group may keep them open. */
export function release(child: ChildProcess): void {
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy()
  child.unref()
}

export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes have exited.
  }
}
