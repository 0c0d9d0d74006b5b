/** Faults and variants by name; a name that comes from outside of the compiler is looked up here. */
import { nearest } from '../spec/nearest.ts'
import { faults } from './faults/index.ts'
import { variants } from './variants/index.ts'

export type FaultId = keyof typeof faults
export type VariantId = keyof typeof variants

export const faultIds = Object.keys(faults) as readonly FaultId[]
export const variantIds = Object.keys(variants) as readonly VariantId[]

function known<N extends string>(ids: readonly N[], name: string, kind: string): N {
  const found = ids.find((id) => id === name)
  if (found !== undefined) return found
  const near = nearest(name, ids)
  const advice = near === undefined ? `\`touchstone list ${kind}s\` lists them.` : `did you mean "${near}"?`
  throw new RangeError(`There is no ${kind} ${JSON.stringify(name)}; ${advice}`)
}

/** Throws a RangeError that names the most similar one. */
export const faultsNamed = (names: readonly string[]): readonly FaultId[] =>
  names.map((name) => known(faultIds, name, 'fault'))

/** Throws a RangeError that names the most similar one. */
export const variantsNamed = (names: readonly string[]): readonly VariantId[] =>
  names.map((name) => known(variantIds, name, 'variant'))
