/** Which name server is asked for a name. */
import { plainName } from './allowed.ts'
import type { GuardPolicy } from './guard.ts'

/** The name server of the longest zone that a name is in. */
export function nameServerOf(name: string, { zones = {} }: Pick<GuardPolicy, 'zones'>): string | undefined {
  const inside = Object.keys(zones).filter((zone) => `.${plainName(name)}`.endsWith(`.${zone}`))
  const [longest] = inside.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? undefined : zones[longest]
}
