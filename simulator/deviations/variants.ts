import type { Variant } from './deviation.ts'

export const variants = {} as const satisfies Record<string, Variant>
