/** `Io` of this process. Only this file and `bin.ts` use `process` directly. */
import type { Io } from './io.ts'
import { onLauncherEnd } from './launcher/launcher.ts'

const defaultWidth = 100
/** Below this, lines would be broken within words. */
const leastWidth = 20

export function processIo(): Io {
  const { stdout, stderr, env } = process
  for (const stream of [stdout, stderr]) outliveReader(stream)
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

/** A reader such as `head` may close the pipe: the command continues. */
function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
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
