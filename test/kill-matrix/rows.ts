/** Every fault by its id, without regard to which of them there are. */
import type { Fault } from '../../simulator/modification/modification.ts'
import { faults, type FaultId } from '../../simulator/index.ts'

export const rows: Readonly<Record<FaultId, Fault>> = faults
export const faultIds = Object.keys(faults) as readonly FaultId[]
