/** What came and what was answered, as lines that a journal is made of. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Answered, Arrival } from '../../suites/inbound/inbox.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { toLine } from '../../suites/wire/journal.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

export interface Recording {
  add(arrival: Arrival, answered: Answered): void
  close(): void
}

/** Opens the file, over what is there. Throws a UsageError where that cannot be done. */
export function openRecording(path: string): Recording {
  const file = open(path)
  let id = 0
  return {
    add: (arrival, answered) => void writeSync(file, `${toLine(exchangeOf((id += 1), arrival, answered))}\n`),
    close: () => closeSync(file),
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw new UsageError(`--record ${path}: it cannot be written (${codeOf(error)}); name another file.`)
  }
}

const failures: Readonly<Record<Answered['end'], Exchange['failure']>> = {
  answered: null,
  gone: { kind: 'reset', message: 'the sender closed the connection before the end of the answer' },
  closed: { kind: 'aborted', message: 'we closed the connection' },
}

function exchangeOf(id: number, arrival: Arrival, answered: Answered): Exchange {
  const { method, path, headers, body, at, cut } = arrival
  const { status, end } = answered
  const bytes = Buffer.from(answered.body)
  return {
    id,
    scenario: 'listen',
    name: 'delivery',
    request: { method, path, headers, body, principal: null },
    sentAt: at,
    endedAt: answered.at,
    response:
      status === null
        ? null
        : {
            status,
            headers: answered.headers,
            at: answered.at,
            chunks: bytes.length > 0 ? [{ at: answered.at, bytes }] : [],
            complete: end === 'answered',
          },
    failure: failures[end],
    inbound: { place: '/', targetAt: at, ...(cut ? { cut } : {}) },
  }
}
