/** A management request, sent again if it was too early: for the rate limit, or for what it should show. */
import { backoffMs } from '../../wire/budget/spending.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { Wire } from '../../wire/wire.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'

/** On the target's clock. A list, or a log, that is behind for longer than all of these is taken at its word. */
const looksMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000]

/** How often a 429 is waited out, and how long where it does not say. The limits of these routes are not shown. */
const refusalsMost = 4
const unsaidMs = 15_000

interface Deps {
  wire: Pick<Wire, 'send'>
  /** Waits on the target's clock. */
  wait: (ms: number) => Promise<void>
}

/** The last answer. What was refused by 429 was not done, so it may be sent again, whatever it is. */
export async function sendUntilTaken(
  outgoing: Outgoing,
  { until }: Pick<ManageRequest, 'until'>,
  deps: Deps,
): Promise<Exchange> {
  let exchange = await inTurn(outgoing, deps)
  for (const ms of looksMs) {
    if (!until || !isTaken(exchange) || until(exchange)) break
    await deps.wait(ms)
    exchange = await inTurn({ ...outgoing, insteadOf: exchange.id }, deps)
  }
  return exchange
}

async function inTurn(outgoing: Outgoing, { wire, wait }: Deps): Promise<Exchange> {
  let exchange = await wire.send(outgoing, { turns: 0 })
  for (let refusals = 0; exchange.response?.status === 429 && refusals < refusalsMost; refusals++) {
    await wait(backoffMs(exchange) || unsaidMs)
    exchange = await wire.send({ ...outgoing, insteadOf: exchange.id }, { turns: 0 })
  }
  return exchange
}

function isTaken({ response, failure }: Exchange): boolean {
  return failure === null && response !== null && response.status >= 200 && response.status < 300
}
