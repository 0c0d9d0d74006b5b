/** The section of the report about bottlenecks. */
import { simulatorLimits } from '../../../simulator/limits.ts'
import { formatNumber } from '../../../bench/format.ts'
import type { ScaleResults } from '../results.ts'

export function bottlenecks({ figures, loadTimes: takings, spread }: ScaleResults): string {
  const last = takings.at(-1)
  const largest = last
    ? `one of ${last.keys.toLocaleString('en-GB')} keys took ${formatNumber(last.ms)} ms`
    : ''
  const [one] = spread
  const three = spread.findLast(({ balanced }) => balanced === 'in turn')
  const perTurn = `${formatNumber(figures['turn, memory'])} KiB`
  return `## Bottlenecks

In this order, as a sandbox grows:

1. **The number of tenants.** The control plane creates ${simulatorLimits.tenants.toLocaleString('en-GB')} and refuses more; \`--limit tenants=20000\`, or \`limits\` of \`createSimulator\`, raises the limit.
2. **Memory of replicas**, long before their processor: ${perTurn} for each turn that a tenant in memory remembers, two thirds of it its journal entry. \`--limit journalEntries=500\` and a shorter retention limit it; so does a shorter idle time, at the cost of loading tenants more often.
3. **Forwarding.** ${one && three ? `With three replicas behind a round-robin balancer, a turn takes ${formatNumber(three.replica)} µs of them rather than ${formatNumber(one.replica)}` : ''}: before you add a second replica, configure the balancer to hash \`Authorization\`.
4. **The time after a start**, when every requested tenant has to be loaded first: ${formatNumber(figures['load, replica'])} µs of a replica and ${formatNumber(figures['load, server'])} µs of PostgreSQL each, on four connections. A request that waits longer than two seconds gets 503 and should be retried. A replica that stops releases its tenants a few at a time for the same reason.
5. **Large tenants.** A tenant is loaded completely: ${largest}.
6. **One busy tenant.** One process serves it, so more processes do not help.
7. **PostgreSQL**, of which there is only one: ${formatNumber(figures['turn, server'])} µs and ${Math.round(figures['turn, WAL']).toLocaleString('en-GB')} bytes of WAL for each turn. The remedy is a second sandbox, for other developers.
`
}
