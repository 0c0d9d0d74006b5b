/** Everything unusual that the simulator can do and still keep the contract. */
import type { Variant } from './deviation.ts'
import { answerVariants } from './variants/answer.ts'
import { streamVariants } from './variants/stream.ts'

export const variants = { ...streamVariants, ...answerVariants } as const satisfies Record<string, Variant>
