/** `Io` of this process. Only this file and `bin.ts` use `process` directly. */
import { spawnSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Io } from './io.ts'
import { systemReason } from '../bundle/errors.ts'
import { ownCommand } from '../bundle/curl.ts'
import { exitCodes } from './exit-codes.ts'

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
    const { stdout } = spawnSync('ps', ['-o', 'state=,ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent, command = ''] = /^\s*[^Z\s]\S*\s+(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
    return parent === undefined ? null : { parent: Number(parent), command }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain anything.
    const [state, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // It ended, and was not yet fetched by its parent.
    if (state === 'Z') return null
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { parent: Number(parent), command }
  } catch {
    return null
  }
}

/** A process and what it started, and what that started, as they are now; on Windows, which has no `ps`, it alone. */
function familyOf(pid: number): readonly number[] {
  const all =
    process.platform === 'linux'
      ? numbersIn(readdirSync('/proc'))
      : numbersIn(spawnSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).stdout?.split('\n') ?? [])
  const parents = new Map(all.map((one) => [one, processEntry(one)?.parent]))
  const family = [pid]
  for (const one of family) family.push(...all.filter((other) => parents.get(other) === one))
  return family
}

const numbersIn = (words: readonly string[]): readonly number[] => words.map(Number).filter((one) => one > 0)

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
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
      if (error.code === 'EPIPE') return
      if (stream === stdout) stderr.write(`error: the output cannot be written (${systemReason(error)}).\n`)
      process.exit(exitCodes.usage)
    })
  // The first signal ends a command that never reads `stopped`.
  let stopped: AbortSignal | null = null
  // Columns of the terminal, else of the environment.
  const reported = /^\d{1,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0
  const as = startedAs(env, process.argv[1] ?? '', process.cwd())
  // A command in a sentence begins with what the user typed, too; the line of a client, `touchstone {…}`, does not.
  const named = (text: string): string => text.replaceAll(/`touchstone (?=[a-z-])/g, `\`${as} `)
  return {
    out: (text) => void stdout.write(named(text)),
    err: (text) => void stderr.write(named(text)),
    env,
    started: { as, words: process.argv.slice(2) },
    width: Math.max(leastWidth, stdout.columns || reported || defaultWidth),
    colour: wantsColour(env, stdout.isTTY),
    live: stderr.isTTY && env['TERM'] !== 'dumb' && !env['CI'],
    question: process.stdin.isTTY && stderr.isTTY ? question : null,
    now: () => performance.now(),
    get stopped() {
      return (stopped ??= stopSignal())
    },
    handSignalsTo,
  }
}

/** One that comes sooner is the same, by way of a group or a launcher. */
const againMs = 500

/**
 * Hands signals on to a process and all that it started: the first as it is (a terminal sends its own to all of them), from
 * the second on as SIGKILL. The returned function ends that, and gives the processes of those that run still.
 */
function handSignalsTo(pid: number): () => Promise<readonly number[]> {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const known = new Set<number>()
  let first = Infinity
  const handOn = (name: NodeJS.Signals): void => {
    for (const one of familyOf(pid)) known.add(one)
    const now = performance.now()
    first = Math.min(first, now)
    const isSecond = now - first > againMs
    const isThere = name === 'SIGINT' && atTerminal
    if (isSecond || !isThere) for (const one of known) send(one, isSecond ? 'SIGKILL' : name)
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, handOn)
  const forget = onLauncherEnd(process.env, () => first === Infinity && handOn('SIGTERM'))
  const left = (): readonly number[] => [...known].filter((one) => processEntry(one) !== null)
  return async () => {
    for (const name of names) process.off(name, handOn)
    forget()
    for (let tries = 0; tries < 10 && left().length > 0; tries++) await setTimeout(50)
    return left()
  }
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

/** What the user typed before the words of the command, as a command that runs in the same folder. */
export function startedAs(env: Io['env'], script: string, folder: string): string {
  const { npm_command: npm, npm_lifecycle_event: event, PATH = '' } = env
  // What npx keeps in its cache is found again by its path alone.
  const isCached = script.includes(`${sep}_npx${sep}`)
  if (npm === 'exec' && !isCached) return ownCommand
  // Another script than that of a clone belongs to a package that has it installed.
  if (event !== undefined && !isCached) return event === 'touchstone' ? 'npm run touchstone --' : ownCommand
  // A clone has a link that ends in .cjs.
  const path = relative(folder, script.replace(/\.cjs$/, ''))
  if (basename(path) !== 'touchstone') return `node ${path}`
  return !isCached && PATH.split(delimiter).includes(dirname(script)) ? 'touchstone' : `./${path}`
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

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Without the empty title, `start` would take the address for one.
  win32: ['cmd', '/c', 'start', ''],
}

/** Resolves with whether something was started that opens it. */
export function openBrowser(address: string): Promise<boolean> {
  const [program, ...words] = commands[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
