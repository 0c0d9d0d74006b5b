/** Converts a journal entry of the simulator to an exchange of the run. */
import type { JournalEntry } from '../../simulator/index.ts'
import type { Chunk, Exchange } from '../../suites/wire/exchange.ts'

export interface ExchangeContext {
  scenario: string
  name: string
  id: number
  /** Milliseconds since 1970 at which the run began, and milliseconds since then. */
  began: number
  now: number
}

export function exchangeOf(
  entry: JournalEntry,
  { scenario, name, id, began, now }: ExchangeContext,
): Exchange {
  const moment = (at: number): number => Math.min(now, Math.max(0, Math.round((at - began) * 1000) / 1000))
  const sentAt = moment(entry.at)
  const endedAt = Math.max(sentAt, entry.endedAt === undefined ? now : moment(entry.endedAt))
  const chunks: Chunk[] = entry.response.map(({ at, bytes }) => ({ at: moment(at), bytes }))
  const { method, path, headers, body, closedBy } = entry
  return {
    id,
    scenario,
    name,
    request: { method, path, headers, body, principal: null },
    sentAt,
    endedAt,
    response:
      entry.status === 0
        ? null
        : {
            status: entry.status,
            headers: entry.responseHeaders,
            at: chunks[0]?.at ?? endedAt,
            chunks,
            complete: closedBy === 'server',
          },
    failure: failureOf(entry),
    inbound: { place: name, targetAt: sentAt, targetEndedAt: endedAt },
  }
}

const endings: Readonly<Record<'client' | 'drop' | 'open', NonNullable<Exchange['failure']>>> = {
  client: { kind: 'aborted', message: 'the client closed the connection before the end of the response' },
  drop: { kind: 'reset', message: 'the service cut the connection' },
  open: { kind: 'aborted', message: 'the step ended before the response' },
}

function failureOf({ closedBy }: JournalEntry): Exchange['failure'] {
  return closedBy === 'server' ? null : endings[closedBy ?? 'open']
}
