/**
 * Whose share of turns, and of what may be in flight, requests to the control plane take: with the token, those about a
 * tenant have one of their own, so that lists about one that are not read do not have requests about others refused.
 */
import type { RequestHead, RequestPlace } from '../../server/http-server.ts'
import { hasToken } from './guard.ts'

/** Another way to write an id would give a tenant another share. */
const tenantPath = /^\/_sim\/v1\/tenants\/(tenant_[A-Za-z0-9]+)(?=[/?]|$)/

type PlaceOf = (head: RequestHead) => RequestPlace

/** Ids need not be those of tenants; the one asked for last is the last to be forgotten. */
const placesMost = 10_000

/** `otherwise`: the place of all other requests. */
export function withControlPlaces(token: string, otherwise: PlaceOf): PlaceOf {
  const places = new Map<string, RequestPlace>()
  const strangers = otherwise({ method: 'GET', path: '/', headers: [] })
  const create = (): RequestPlace => ({
    isControl: true,
    get rules() {
      return strangers.rules
    },
  })
  const placeOf = (tenant: string): RequestPlace => {
    const place = places.get(tenant) ?? create()
    places.delete(tenant)
    places.set(tenant, place)
    if (places.size > placesMost) places.delete(places.keys().next().value ?? '')
    return place
  }
  return (head) => {
    const tenant = tenantPath.exec(head.path)?.[1]
    return tenant !== undefined && hasToken(head, token) ? placeOf(tenant) : otherwise(head)
  }
}
