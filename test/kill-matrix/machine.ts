/** Faults that show only on some machines. The file is the same on all: what cannot be run here is copied from it. */
import type { Fault } from '../../simulator/modification/modification.ts'
import { type FaultId, faults } from '../../simulator/index.ts'
import { ownBlockedAddresses, publicAddressHere } from '../../suites/webhooks/targets/hosts.ts'
import { cellsOf } from './file.ts'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'

type Machine = NonNullable<Fault['machine']>

const has: Readonly<Record<Machine, boolean>> = {
  'private-address': ownBlockedAddresses().some(({ list }) => list === 'private'),
  'public-address': publicAddressHere() !== null,
}

export const showsHere = (id: FaultId): boolean => {
  const { machine } = rows[id]
  return machine === undefined || has[machine]
}

export const unshown = (id: FaultId): string =>
  `${id}: not run here: this machine has no ${rows[id].machine?.replace('-', ' ')}; its line is taken over`

/**
 * Checks that such a fault turns red. Others may turn them red as well, by the same address: where there is none,
 * their cells are taken over too.
 */
export function checksElsewhere({ faults }: KillMatrix): ReadonlySet<string> {
  return new Set(faultIds.filter((id) => !showsHere(id)).flatMap((id) => cellsOf(faults[id])?.kills ?? []))
}

export const rows: Readonly<Record<FaultId, Fault>> = faults
export const faultIds = Object.keys(faults) as readonly FaultId[]
