/** The process as commands see it. The only file of the command line that touches it, beside `bin.ts`. */
import type { Io } from './io.ts'

const defaultWidth = 100
/** Less than this, and lines would be cut into syllables. */
const leastWidth = 20

export function processIo(): Io {
  const { stdout, stderr, env } = process
  for (const stream of [stdout, stderr]) outliveReader(stream)
  // Only a command that looks whether it was stopped is spared by the first signal.
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

function signals(heard: (name: NodeJS.Signals) => void): () => void {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => {
    const told = (): void => (name === 'SIGINT' && atTerminal ? undefined : heard(name))
    process.on(name, told)
    return () => void process.off(name, told)
  })
  return () => listeners.forEach((forget) => forget())
}

/** Loaded when somebody is asked, which most commands never do. */
async function question(text: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(text, { signal })
  } finally {
    lines.close()
  }
}

/** A reader that has seen enough, such as `head`, closes the pipe: the command goes on, and nobody reads. */
function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** Columns of the terminal, else what the environment says of it. */
function widthOf(columns: number | undefined, { COLUMNS }: Io['env']): number {
  const told = /^\d{1,4}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : 0
  return Math.max(leastWidth, columns || told || defaultWidth)
}

/** https://no-color.org and its counterpart FORCE_COLOR: set and not empty. */
function wantsColour(env: Io['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isTerminal && env['TERM'] !== 'dumb'
}

/** The first Ctrl-C asks for a clean end; the next request to end ends the process as if nobody listened. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const names = ['SIGINT', 'SIGTERM'] as const
  const stop = (): void => {
    for (const name of names) process.off(name, stop)
    controller.abort()
  }
  for (const name of names) process.on(name, stop)
  return controller.signal
}
