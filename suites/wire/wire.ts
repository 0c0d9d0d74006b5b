/** The governor and the recorder as one: what a scenario sends goes through here, and comes out as an exchange. */
import type { Exchange } from './exchange.ts'
import type { Admission, BudgetRequest, Governor } from './budget/governor.ts'
import type { Outgoing, Recorder } from './recorder.ts'

/** `turns`: the most turns that can run for all of it. */
export type SendTerms = Pick<BudgetRequest, 'turns' | 'unpaced'>

export interface Wire {
  /** One exchange; with failure `budget` where a cap of the run did not allow it. */
  send(outgoing: Outgoing, terms?: SendTerms): Promise<Exchange>
  /** All at once, on warm connections, past one barrier; all withheld where a cap did not allow all. */
  together(outgoing: readonly Outgoing[], terms?: SendTerms): Promise<readonly Exchange[]>
  /** The id of an exchange that the target began. */
  nextId(): number
  /** Takes an exchange that the target began, as it ends. It costs nothing. */
  receive(exchange: Exchange): void
}

export interface WireOptions {
  recorder: Recorder
  governor: Governor
  /** Why a request must never be sent, or null. */
  refuses?: ((request: Outgoing) => string | null) | undefined
  /** Called with every exchange as it ends, the withheld ones included. */
  onExchange?: ((exchange: Exchange) => void) | undefined
}

export function createWire({ recorder, governor, refuses, onExchange }: WireOptions): Wire {
  /** One admission for each principal, because each has a rate of its own. */
  async function admit(
    outgoing: readonly Outgoing[],
    terms: SendTerms,
  ): Promise<Map<string | null, Admission>> {
    const admissions = new Map<string | null, Admission>()
    for (const [principal, { length: count }] of Map.groupBy(outgoing, (request) => request.principal))
      admissions.set(principal, await governor.admit({ principal, count, ...terms }))
    return admissions
  }

  function withheld(outgoing: readonly Outgoing[], because: string): readonly Exchange[] {
    const exchanges = outgoing.map((request) => recorder.withhold(request, because))
    for (const exchange of exchanges) onExchange?.(exchange)
    return exchanges
  }

  async function pass(
    outgoing: readonly Outgoing[],
    terms: SendTerms,
    go: () => Promise<readonly Exchange[]>,
  ): Promise<readonly Exchange[]> {
    const never = outgoing.map((request) => refuses?.(request) ?? null).find((words) => words !== null)
    if (never !== undefined) return withheld(outgoing, never)
    const admissions = await admit(outgoing, terms)
    const refused = [...admissions.values()].find((admission) => !admission.admitted)
    let exchanges: readonly Exchange[] = []
    try {
      exchanges = refused
        ? outgoing.map((request) => recorder.withhold(request, refused.because))
        : await go()
    } finally {
      for (const [principal, admission] of admissions)
        if (admission.admitted)
          admission.settle(exchanges.filter(({ request }) => request.principal === principal))
    }
    for (const exchange of exchanges) onExchange?.(exchange)
    return exchanges
  }

  return {
    async send(outgoing, terms = {}) {
      const [exchange] = await pass([outgoing], terms, async () => [await recorder.send(outgoing)])
      if (!exchange) throw new Error(`the request \`${outgoing.name}\` became no exchange`)
      return exchange
    },
    nextId: () => recorder.nextId(),
    receive: (exchange) => onExchange?.(exchange),
    together: (outgoing, terms = {}) => pass(outgoing, terms, () => recorder.together(outgoing)),
  }
}
