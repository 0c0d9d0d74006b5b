/** What came and what was answered, as lines that a journal is made of. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { toLine } from '../../reports/bundle/journal/codec.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface Recording {
  /** Throws a UsageError where nothing more can be written. */
  add(exchange: Exchange): void
  close(): void
}

/** Opens the file, over what is there. Throws a UsageError where that cannot be done. */
export function openRecording(path: string): Recording {
  // For its owner alone: custom headers may hold secrets.
  const file = orRefuse(path, () => openSync(path, 'w', 0o600))
  return {
    add: (exchange) => void orRefuse(path, () => writeSync(file, `${toLine(exchange)}\n`)),
    close: () => closeSync(file),
  }
}

function orRefuse<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError(`--record ${path}: cannot be written (${codeOf(error)}); give another file.`)
  }
}
