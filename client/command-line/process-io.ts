/** The process as commands see it. The only file of the command line that touches it, beside `bin.ts`. */
import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** What a command may touch of the process: handed in, so that a command can be run within a test. */
export interface CommandLineIo {
  /** Data, to stdout. */
  out: (text: string) => void
  /** Words for a person, to stderr. */
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** The folder of the person, where the environment names no other place for what is kept. */
  home: string
  windows: boolean
  /** Columns for help. */
  width: number
  /** Whether a terminal shows what goes to stdout, and would act on control characters in it. */
  terminal: boolean
  /** Everything on standard input. */
  read(): Promise<string>
  /** Asks the person at the terminal for a line that is not shown; null where nobody is there. */
  hidden: ((text: string, stop: AbortSignal) => Promise<string>) | null
  /** Aborts at the first request of the user or the system to end; its reason is the name of the signal. */
  stopped: AbortSignal
}

export function commandLineIo(): CommandLineIo {
  const { stdin, stdout, stderr, env, platform } = process
  for (const stream of [stdout, stderr]) outliveReader(stream)
  return {
    out: (words) => void stdout.write(words),
    err: (words) => void stderr.write(words),
    env,
    home: homedir(),
    windows: platform === 'win32',
    width: stdout.columns || 100,
    terminal: stdout.isTTY,
    read: () => text(stdin),
    hidden: stdin.isTTY && stderr.isTTY ? hidden : null,
    stopped: stopSignal(),
  }
}

/** What is typed goes nowhere: the terminal does not show it, and nothing keeps it as history. */
async function hidden(words: string, signal: AbortSignal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // In this mode Ctrl-C is a character like any other, until it is passed on.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  process.stderr.write(words)
  try {
    return await lines.question('', { signal })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** A reader that has seen enough, such as `head`, closes the pipe: the command goes on, and nobody reads. */
function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** The first Ctrl-C asks for a clean end; the second one ends the process as if nobody listened. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(name))
  return controller.signal
}
