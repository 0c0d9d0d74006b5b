/** What an answer cost, as far as the wire shows it. */
import {
  at,
  identifiersIn,
  type Exchange,
  type Json,
  deniesReplay,
  header,
  json,
  member,
} from '../exchange.ts'
import { readSseBody } from '../sse.ts'
import type { Budgets } from '../../../bundle/record.ts'

/** `ran`: a turn ran for it. `may have run`: we cannot know. `none`: no turn ran for it. */
export type TurnTrace = 'ran' | 'may have run' | 'none'

/** What an answer shows of the turn it asked for. A replay is not a turn. */
export function turnTrace(exchange: Exchange): TurnTrace {
  const { response, failure } = exchange
  if (failure?.kind === 'budget' || failure?.kind === 'refused') return 'none'
  if (!response) return 'may have run'
  const { status } = response
  const isReplay = header(exchange, identifiersIn(exchange).replayHeader).some(
    (value) => !deniesReplay(value),
  )
  // Only 200 is in the contract, but another success is paid for as well.
  if (status >= 200 && status < 300 && !isReplay) return 'ran'
  // What it met may be its own first sending.
  return status >= 500 || exchange.resent ? 'may have run' : 'none'
}

function doneOf(exchange: Exchange): Json {
  const { events } = readSseBody(exchange)
  return events.find(({ json = null }) => at(json, '/type') === 'done')?.json ?? null
}

/** So that sums stay numbers, and a turn of less than nothing gives no room for others. */
const mostCredits = 1e12

/** Credits a fresh turn reports, in its JSON reply or in the `done` of its stream; null where it does not say. */
export function creditsUsed(exchange: Exchange): number | null {
  if (turnTrace(exchange) !== 'ran') return null
  const used = json(exchange).ok ? member(exchange, '/credits_used') : at(doneOf(exchange), '/credits_used')
  return typeof used === 'number' && Number.isFinite(used) ? Math.min(mostCredits, Math.max(0, used)) : null
}

/** Milliseconds a 429 asks us to stay away, from its body or its `retry-after`; at most a minute. */
export function backoffMs(exchange: Exchange): number {
  if (exchange.response?.status !== 429) return 0
  const asked = member(exchange, '/retry_after_seconds') ?? header(exchange, 'retry-after')[0]
  const seconds = Number(asked)
  return Number.isFinite(seconds) ? Math.min(60_000, Math.max(0, seconds * 1000)) : 0
}

/** What a run receives, in bytes of headers and bodies, against its caps: a response is cut where it would pass one. */
type ByteBudgets = Required<Pick<Budgets, 'responseBytes' | 'scenarioBytes' | 'runBytes'>>

/** Far more than any service of this kind answers. */
export const defaultByteBudgets: ByteBudgets = {
  responseBytes: 1 << 20,
  scenarioBytes: 8 << 20,
  runBytes: 128 << 20,
}

/**
 * Each line of a stream, and each value of a JSON document, is an object to its judges. A verbose turn has some 1,700
 * lines.
 */
const mostParts = { lines: 8_000, values: 100_000 } as const
/** What a read takes in memory besides its bytes, about. */
const bytesPerRead = 200

export type CountedParts = { readonly [K in keyof typeof mostParts]: number }

const noParts: CountedParts = { lines: 0, values: 0 }

/** Counts a further read of one response. Returns why no more of it is received, or null. */
export type Meter = (bytes: number, parts?: Partial<CountedParts>) => string | null

export interface ByteLedger {
  /** For one response, of this scenario. */
  meter(scenario: string): Meter
  /** Why nothing more can be received in this scenario, or null. */
  refusal(scenario: string): string | null
}

export function createByteLedger(budgets: Partial<ByteBudgets>): ByteLedger {
  const most = { ...defaultByteBudgets, ...budgets }
  const byScenario = new Map<string, number>()
  let received = 0
  const inScenario = (scenario: string): number => byScenario.get(scenario) ?? 0

  function passed(scenario: string): string | null {
    if (inScenario(scenario) >= most.scenarioBytes)
      return `the scenario may receive ${most.scenarioBytes} bytes (budgets.scenarioBytes)`
    if (received >= most.runBytes) return `the run may receive ${most.runBytes} bytes (budgets.runBytes)`
    return null
  }
  return {
    meter(scenario) {
      const own = { bytes: 0, ...noParts }
      return (bytes, { lines = 0, values = 0 } = noParts) => {
        own.bytes += bytes
        own.lines += lines
        own.values += values
        received += bytes + bytesPerRead
        byScenario.set(scenario, inScenario(scenario) + bytes)
        if (own.lines > mostParts.lines) return `a response may have ${mostParts.lines} lines`
        if (own.values > mostParts.values) return `a response may have ${mostParts.values} values`
        if (own.bytes >= most.responseBytes)
          return `a response may have ${most.responseBytes} bytes (budgets.responseBytes)`
        return passed(scenario)
      }
    },
    refusal: passed,
  }
}
