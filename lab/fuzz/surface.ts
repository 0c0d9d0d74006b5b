/** What the fuzzer works on: places of the project that read what strangers wrote. */
import type { Corpus } from './corpus.ts'
import type { Draw } from './draw.ts'

/** Reads inputs, one after the other. */
export interface Feed {
  /** Takes one input. Whatever it throws is a defect: what a reader may throw is caught in here. */
  feed(input: Uint8Array): void | Promise<void>
  /** Asked now and then, and at the end: whether what was fed is still well. Throws where it is not. */
  checkHealth?(): Promise<void>
  close?(): Promise<void>
}

export interface Surface {
  /** Of all inputs, so many parts are for this surface. */
  parts: number
  seeds(corpus: Corpus): readonly Uint8Array[]
  /** Makes the next input of a seed. */
  change(seed: Uint8Array, draw: Draw, others: readonly Uint8Array[]): Uint8Array
  open(corpus: Corpus): Feed | Promise<Feed>
  /** Inputs of about so many bytes, by what is long or deep in them: time has to grow with them, not with their square. */
  growing?: Readonly<Record<string, (bytes: number) => Uint8Array>>
}

export type Surfaces = Readonly<Record<string, Surface>>

/** What was fed brought something about that must never be. */
export class Defect extends Error {
  override name = 'Defect'
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Runs a reader; throws on what it may not throw. Gives what it read, or undefined where it refused in words. */
export function refusing<T>(known: readonly string[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || !known.includes(error.name)) throw error
    if (error.message.trim() === '') throw new Defect(`a ${error.name} without words`)
    if (error.name === 'UsageError' && error.message.includes('\n'))
      throw new Defect(`more than a line: ${error.message}`)
    if (/\n\s+at .*:\d+:\d+/.test(error.message)) throw new Defect(`a stack trace in words: ${error.message}`)
    if (
      /\b(Type|Range|Reference)Error\b|Cannot (read|convert)|is not (a function|iterable)/.test(error.message)
    )
      throw new Defect(`an internal error in words: ${error.message}`)
    return undefined
  }
}
