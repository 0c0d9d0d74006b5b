/**
 * Whose share of turns, and of what may be in flight, requests to the control plane take. Those about one tenant do not wait
 * for those about others, nor for requests of strangers.
 */
import type { RequestHead, RequestPlace } from '../../server/http-server.ts'
import { hasToken } from './guard.ts'

const tenantPath = /^\/_sim\/v1\/tenants\/([^/?]+)/

type PlaceOf = (head: RequestHead) => RequestPlace

/** `otherwise`: the place of all other requests. `most`: tenants whose places are remembered. */
export function withControlPlaces(token: string, otherwise: PlaceOf, most: number): PlaceOf {
  const places = new Map<string, RequestPlace>()
  const strangers = otherwise({ method: 'GET', path: '/', headers: [] })
  const placeOf = (tenant: string): RequestPlace => {
    const known = places.get(tenant)
    if (known) return known
    // What is in flight keeps the place that it has.
    if (places.size >= most) places.clear()
    const place: RequestPlace = {
      isControl: true,
      get rules() {
        return strangers.rules
      },
    }
    places.set(tenant, place)
    return place
  }
  return (head) => {
    const tenant = tenantPath.exec(head.path)?.[1]
    return tenant !== undefined && hasToken(head, token) ? placeOf(tenant) : otherwise(head)
  }
}
