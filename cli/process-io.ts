/** `Io` of this process. Only this file and `bin.ts` use `process` directly. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Io } from './io.ts'

/**
 * Notices the end of npx, which does not pass SIGTERM on: without this, a simulator that a program started with npx would
 * outlive it. Whoever starts the command without npx (a daemon, nohup, a service manager) may end first.
 */

interface ProcessEntry {
  parent: number
  command: string
}

const pollMs = 1_000

/** Calls the listener once if npx started this process and has ended; the returned function stops watching. */
function onLauncherEnd(env: Io['env'], listener: () => void): () => void {
  const launcher = env['npm_command'] === 'exec' ? launcherOf(process.ppid) : null
  if (launcher === null) return () => undefined
  const timer = setInterval(() => {
    if (launcher.isThere()) return
    clearInterval(timer)
    listener()
  }, pollMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** npx is the parent, or the parent of the shell that it starts its command with; null if it is neither. */
function launcherOf(parent: number): { isThere: () => boolean } | null {
  const first = processEntry(parent)
  if (first && isNpx(first)) return { isThere: () => process.ppid === parent }
  const second = first && processEntry(first.parent)
  if (!first || !second || !isNpx(second)) return null
  return { isThere: () => process.ppid === parent && processEntry(parent)?.parent === first.parent }
}

/** npm sets its title to `npm exec touchstone`. */
const isNpx = ({ command }: ProcessEntry): boolean => /(^|\/)np[mx](-cli\.js)?(\s|$)/.test(command)

/** Null if there is no such process. An orphan is adopted by another one at once, even before its parent is reaped. */
function processEntry(pid: number): ProcessEntry | null {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
    return parent === undefined ? null : { parent: Number(parent), command }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain anything.
    const [, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { parent: Number(parent), command }
  } catch {
    return null
  }
}

const defaultWidth = 100
/** Below this, lines would be broken within words. */
const leastWidth = 20

export function processIo(): Io {
  const { stdout, stderr, env } = process
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader such as `head` may close the pipe: the command continues.
      if (error.code !== 'EPIPE') throw error
    })
  // The first signal ends a command that never reads `stopped`.
  let stopped: AbortSignal | null = null
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    width: widthOf(stdout.columns, env),
    colour: wantsColour(env, stdout.isTTY),
    live: stderr.isTTY && env['TERM'] !== 'dumb' && !env['CI'],
    question: process.stdin.isTTY && stderr.isTTY ? question : null,
    now: () => performance.now(),
    get stopped() {
      return (stopped ??= stopSignal())
    },
    signals,
  }
}

function signals(listener: (name: NodeJS.Signals) => void): () => void {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => {
    const forward = (): void => (name === 'SIGINT' && atTerminal ? undefined : listener(name))
    process.on(name, forward)
    return () => void process.off(name, forward)
  })
  const forget = onLauncherEnd(process.env, () => listener('SIGTERM'))
  return () => [...listeners, forget].forEach((remove) => remove())
}

/** Loads readline only for commands that prompt. */
async function question(text: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(text, { signal })
  } finally {
    lines.close()
  }
}

/** Columns of the terminal, else of the environment. */
function widthOf(columns: number | undefined, { COLUMNS }: Io['env']): number {
  const reported = /^\d{1,4}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : 0
  return Math.max(leastWidth, columns || reported || defaultWidth)
}

/** https://no-color.org and its counterpart FORCE_COLOR: set and not empty. */
function wantsColour(env: Io['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isTerminal && env['TERM'] !== 'dumb'
}

/** The first signal, or the end of npx, aborts; the handlers are then removed, so that the next one ends the process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const names = ['SIGINT', 'SIGTERM'] as const
  const stop = (): void => {
    for (const name of names) process.off(name, stop)
    forget()
    controller.abort()
  }
  const forget = onLauncherEnd(process.env, stop)
  for (const name of names) process.on(name, stop)
  return controller.signal
}
