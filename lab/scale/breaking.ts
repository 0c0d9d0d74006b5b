/** The part of the report that says what gives way first. */
import { simulatorLimits } from '../../simulator/limits.ts'
import { shown } from '../../bench/words.ts'
import type { ScaleResults } from './results.ts'

export function breaking({ figures, takings, spread }: ScaleResults): string {
  const last = takings.at(-1)
  const largest = last ? `one of ${last.keys.toLocaleString('en-GB')} keys took ${shown(last.ms)} ms` : ''
  const [one] = spread
  const three = spread.findLast(({ balanced }) => balanced === 'in turn')
  const perTurn = `${shown(figures['turn, resident'])} KiB`
  return `## What gives way first

In this order, as a sandbox grows:

1. **The number of tenants.** The control plane makes ${simulatorLimits.tenants.toLocaleString('en-GB')} and refuses more; \`--limit tenants=20000\`, or \`limits\` of \`createSimulator\`, lets it make more.
2. **Memory of replicas**, long before their processor: ${perTurn} for each turn that a tenant in memory remembers, two thirds of it the entry in its journal. \`--limit journalEntries=500\` and a shorter retention bound it; so does a shorter rest, at the price of taking tenants up more often.
3. **Passing on.** ${one && three ? `With three replicas behind a balancer that deals in turn, a turn takes ${shown(three.replica)} µs of them rather than ${shown(one.replica)}` : ''}: before a second replica, let the balancer choose by \`Authorization\`.
4. **The moment after a start**, when every tenant that is asked for has to be taken up first: ${shown(figures['load, replica'])} µs of a replica and ${shown(figures['load, server'])} µs of PostgreSQL each, on four connections. Whoever waits longer than two seconds for one gets 503 and comes again. A replica that ends gives its tenants back a few at a time for the same reason.
5. **Large tenants that come and go.** A tenant is taken up whole: ${largest}.
6. **One busy tenant.** It has one process, and never more than that process carries, whatever stands beside it.
7. **PostgreSQL**, of which there is one: ${shown(figures['turn, server'])} µs and ${Math.round(figures['turn, WAL']).toLocaleString('en-GB')} bytes of WAL for each turn. The answer to more is a second sandbox, for other developers.
`
}
