/**
 * Shares the load among the keys of a principal that has several. Within a scenario the key stays the same; which one
 * it is follows from the scenarios before, so that the same run uses the same keys.
 */
import type { Principal } from '../../config/target.ts'
import type { Setting } from '../../scenario/scenario.ts'

/** Gives a principal with the one of its keys that was asked for least, and counts these requests for it. */
export type KeyRing = (principal: Principal, requests: number) => Principal

export function createKeyRing(): KeyRing {
  const loads = new Map<string, number[]>()
  return (principal, requests) => {
    const { name, bearer } = principal
    const keys = keysOf(principal)
    if (keys.length === 1) return principal
    const load = loads.get(name) ?? keys.map(() => 0)
    loads.set(name, load)
    const least = load.indexOf(Math.min(...load))
    load[least] = (load[least] ?? 0) + requests
    return { ...principal, bearer: keys[least] ?? bearer, lane: least === 0 ? name : `${name}#${least + 1}` }
  }
}

export function keysOf({ bearer, pool = [], sacrificial, revoked }: Principal): readonly string[] {
  // What is to be limited, or is not accepted at all, is known to those who bring it about by its first key.
  return sacrificial || revoked ? [bearer] : [bearer, ...pool]
}

/** What a key is called where it matters which one of its principal it is: `main`, `main#2`. */
export function laneOf({ name, lane = name }: Principal): string {
  return lane
}

export function withKeys(setting: Setting, ring: KeyRing, requests: number): Setting {
  const cast = Object.entries(setting.cast).map(([role, principal]) => [role, ring(principal, requests)])
  return { ...setting, cast: Object.fromEntries(cast) as Setting['cast'] }
}
