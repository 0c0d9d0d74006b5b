/** How the names in `exchanges` of a scenario type its driver and its judges. */
import type { Exchange } from '../wire/exchange.ts'

export type One<N extends string> = N extends `${string}[]` ? never : N
export type Many<N extends string> = N extends `${infer B}[]` ? B : never

/** `'race[]'` declares a list of exchanges under the name `race`; any other name declares one. */
export type NamedExchanges<N extends string> = {
  readonly [K in N as K extends `${infer B}[]` ? B : K]: K extends `${string}[]`
    ? readonly Exchange[]
    : Exchange
}

/** A request that is sent again to see whether its refusal recurs, and one that differs and is sent in between. */
export const attemptOf = (name: string): string => `attempt of ${name}`
export const controlOf = (name: string): string => `control of ${name}`
