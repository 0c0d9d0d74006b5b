/** How many requests are being answered at a time. */
import type { ServerResponse } from 'node:http'

export interface ConcurrencyLimit {
  /** False where `place` has as many as it may; else the request counts until its response is closed. */
  enter(place: object, response: Pick<ServerResponse, 'on'>): boolean
}

/** `most`: of one place, such as a tenant. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const open = new WeakMap<object, number>()
  const count = (place: object, more: number): void => void open.set(place, (open.get(place) ?? 0) + more)
  return {
    enter: (place, response) => {
      if ((open.get(place) ?? 0) >= most) return false
      count(place, 1)
      response.on('close', () => count(place, -1))
      return true
    },
  }
}
