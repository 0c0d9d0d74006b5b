/** What a run receives, in bytes of headers and bodies, against its caps: a response is cut where it would pass one. */
import type { Budgets } from '../../../reports/bundle/record.ts'

export type ByteBudgets = Required<Pick<Budgets, 'responseBytes' | 'scenarioBytes' | 'runBytes'>>

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
