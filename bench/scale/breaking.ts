/** The part of docs/scale.md that says what gives way first. */
import { limits } from '../../simulator/limits.ts'
import { shown } from '../words.ts'
import type { ScaleResults } from './results.ts'

export function breaking({ figures, takings, spread }: ScaleResults): string {
  const last = takings.at(-1)
  const largest = last ? `one of ${last.keys.toLocaleString('en-GB')} keys took ${shown(last.ms)} ms` : ''
  const inTurn = spread.filter(({ balanced }) => balanced === 'in turn')
  const [one, three] = [inTurn[0], inTurn.at(-1)]
  return `## What gives way first

In this order, as a sandbox grows:

1. **The number of tenants.** The control plane makes ${limits.tenants.toLocaleString('en-GB')} and refuses more; \`--limit tenants=20000\`, or \`limits\` of \`createSimulator\`, lets it make more.
2. **Passing on.** ${one && three ? `With three replicas a turn takes ${shown(three.replica)} µs of them rather than ${shown(one.replica)}` : ''}: before a second or third replica, let the balancer choose by \`Authorization\`.
3. **Memory of replicas**, before their processor, where tenants remember much: ${shown(figures['turn, resident'])} KiB for each turn, the journal among it. \`--limit journalEntries=1000\` and a shorter retention bound it.
4. **Large tenants that come and go.** A tenant is taken up whole: ${largest}, during which its replica does little else.
5. **One busy tenant.** It has one process, and never more than that process carries, whatever stands beside it.
6. **PostgreSQL**, of which there is one: ${shown(figures['turn, server'])} µs and ${Math.round(figures['turn, WAL']).toLocaleString('en-GB')} bytes of WAL for each turn. The answer to more is a second sandbox, for other developers.
`
}
