/** A process for tests, with a home of its own: what a command prints is kept, and ending it is up to the test. */
import { onTestFinished } from 'vitest'
import type { CommandLineIo } from './process-io.ts'
import { runCommandLine } from './main.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

export interface Captured {
  code: number
  out: string
  err: string
}

export interface TestIo extends CommandLineIo {
  printed: { out: string; err: string }
  stop(signal?: 'SIGINT' | 'SIGTERM'): void
}

/** A folder that is gone when the test is over. */
export const testHome = (): string => temporaryFolder(onTestFinished)

export function testIo(over: Partial<CommandLineIo> = {}): TestIo {
  const printed = { out: '', err: '' }
  const controller = new AbortController()
  return {
    printed,
    stop: (signal = 'SIGINT') => controller.abort(signal),
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    env: {},
    home: over.home ?? testHome(),
    windows: false,
    width: 100,
    terminal: false,
    read: () => Promise.resolve(''),
    hidden: null,
    stopped: controller.signal,
    ...over,
  }
}

/** Runs one command line to its end. */
export async function run(argv: readonly string[], over: Partial<CommandLineIo> = {}): Promise<Captured> {
  const io = testIo(over)
  const code = await runCommandLine(argv, io)
  return { code, ...io.printed }
}
