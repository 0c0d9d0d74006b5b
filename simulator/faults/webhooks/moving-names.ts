/**
 * Names that are moved once their webhook was made, or between two look-ups for one delivery. Endpoints at names of the
 * run are taken over plain HTTP too, since no certificate is for them: otherwise a handshake is all that shows.
 */
import { type Fault } from '../../modification/modification.ts'

export const movingNameFaults = {} as const satisfies Record<string, Fault>
