/** A process for tests: what a command prints is kept, and ending it is up to the test. */
import { stripVTControlCharacters } from 'node:util'
import { ownCommand } from '../bundle/curl.ts'
import type { Io } from './io.ts'
import { main } from './main.ts'

export interface Captured {
  code: number
  out: string
  err: string
}

export interface TestIo extends Io {
  printed: { out: string; err: string }
  stop(): void
}

export function testIo(over: Partial<Io> = {}): TestIo {
  const printed = { out: '', err: '' }
  const controller = new AbortController()
  return {
    printed,
    stop: () => controller.abort(),
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    env: {},
    started: { as: ownCommand, words: [] },
    width: 100,
    colour: false,
    live: false,
    question: null,
    now: () => performance.now(),
    stopped: controller.signal,
    handSignalsTo: () => () => Promise.resolve([]),
    ...over,
  }
}

/** Runs one command line to its end. */
export async function run(argv: readonly string[], over: Partial<Io> = {}): Promise<Captured> {
  const io = testIo({ started: { as: ownCommand, words: argv }, ...over })
  const code = await main(argv, io)
  return { code, out: io.printed.out, err: stripVTControlCharacters(io.printed.err) }
}
