/** Runs a program to its end, and its whole process group no longer than it is wanted. */
import { spawn } from 'node:child_process'

export interface Ended {
  /** An exit code, or the name of the signal that ended it, in words. */
  code: 0 | string
  stdout: string
  /** The last of it. */
  stderr: string
}

interface Setting {
  folder: string
  environment: Readonly<Record<string, string>>
  stop: AbortSignal
}

/** Characters that are kept of what it prints. */
const most = { stdout: 64_000, stderr: 1_000 }

/**
 * Rejects with the reason of `stop` when that fires first, and with the system's error when it cannot be started.
 * Resolves when the program ended; what it left running in its group is ended too.
 */
export function runProgram(argv: readonly string[], { folder, environment, stop }: Setting): Promise<Ended> {
  const [file = '', ...args] = argv
  return new Promise((resolve, reject) => {
    if (stop.aborted) return reject(asError(stop.reason))
    // A group of its own, so that a timeout ends the children of a script too.
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const kept = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      kept.stdout = (kept.stdout + text).slice(0, most.stdout)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      kept.stderr = (kept.stderr + text).slice(-most.stderr)
    })
    const endGroup = (): void => killGroup(child.pid)
    const end = (): void => {
      endGroup()
      reject(asError(stop.reason))
    }
    stop.addEventListener('abort', end, { once: true })
    child.once('error', reject)
    // What stays behind may hold the pipes open: the end of the program counts, not that of its output.
    child.once('exit', endGroup)
    child.once('close', (code, signal) => {
      stop.removeEventListener('abort', end)
      resolve({ ...kept, code: code === 0 ? 0 : code === null ? `signal ${signal}` : `exit code ${code}` })
    })
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
