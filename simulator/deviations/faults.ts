import type { Fault } from './deviation.ts'

export const faults = {} as const satisfies Record<string, Fault>
