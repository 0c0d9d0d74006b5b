/**
 * Notices the end of npx, which does not pass SIGTERM on: without this, a simulator that a program started with npx would
 * outlive it. Whoever starts the command without npx (a daemon, nohup, a service manager) may end first.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Io } from '../io.ts'

interface ProcessEntry {
  parent: number
  command: string
}

const pollMs = 1_000

/** Calls the listener once if npx started this process and has ended; the returned function stops watching. */
export function onLauncherEnd(env: Io['env'], listener: () => void): () => void {
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
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): ProcessEntry | null {
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

function fromPs(pid: number): ProcessEntry | null {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
  return parent === undefined ? null : { parent: Number(parent), command }
}
