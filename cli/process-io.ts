/** The process as commands see it. The only file of the command line that touches it, beside `bin.ts`. */
import type { Io } from './io.ts'

const defaultWidth = 100

export function processIo(): Io {
  const { stdout, stderr, env } = process
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    width: stdout.columns || defaultWidth,
    colour: wantsColour(env, stdout.isTTY),
    live: stderr.isTTY && env['TERM'] !== 'dumb' && !env['CI'],
    now: () => performance.now(),
    stopped: stopSignal(),
  }
}

/** https://no-color.org and its counterpart FORCE_COLOR: set and not empty. */
function wantsColour(env: Io['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isTerminal && env['TERM'] !== 'dumb'
}

/** The first Ctrl-C asks for a clean end; the second one ends the process as if nobody listened. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}
