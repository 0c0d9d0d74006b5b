/** Faults that show only on some machines. The file is the same on all: what cannot be told here is taken over from it. */
import type { FaultId } from '../../simulator/index.ts'
import { ownWays } from '../../suites/webhooks/hosts.ts'
import { faultIds, rows } from './rows.ts'
import { cellsOf } from './file.ts'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'

const hasPrivateAddress = ownWays().some(({ list }) => list === 'private')

export const showsHere = (id: FaultId): boolean => rows[id].machine === undefined || hasPrivateAddress

export const unshown = (id: FaultId): string =>
  `${id}: not told here, for this machine has no private address; its line is taken over`

/**
 * Checks that such a fault turns red. Others may turn them red as well, by the same address: where there is none,
 * their cells are taken over too.
 */
export function checksElsewhere({ faults }: KillMatrix): ReadonlySet<string> {
  if (hasPrivateAddress) return new Set()
  return new Set(faultIds.filter((id) => !showsHere(id)).flatMap((id) => cellsOf(faults[id])?.kills ?? []))
}
