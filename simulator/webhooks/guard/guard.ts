/** What stands between a delivery and the network: which targets are let through, and the POST itself. */
import type { DeliveryRequest } from '../../tenant/webhooks/delivery.ts'
import type { GuardPolicy } from '../../rules/webhooks.ts'
import { Resolver } from 'node:dns/promises'

export interface Posted {
  /** Null where no answer came. */
  readonly status: number | null
  /** Of a redirect. */
  readonly location: string | null
  readonly failure: null | { readonly kind: 'blocked' | 'unreachable' | 'silent'; readonly reason: string }
}

/** Posts messages; keeps connections to reuse. */
export interface Poster {
  /** Never rejects. Follows no redirect. `breaker` breaks it off, which counts as `silent`. */
  post(message: DeliveryRequest, policy: GuardPolicy, breaker: Breaker): Promise<Posted>
  close(): Promise<void>
}

/** Aborts one attempt; an AbortController would cost as much as the rest of the attempt. */
export class Breaker {
  isBroken = false
  #breakOff: (() => void) | undefined

  /** Sets the function that `break` calls. */
  holds(breakOff: () => void): void {
    this.#breakOff = breakOff
  }

  break(): void {
    if (this.isBroken) return
    this.isBroken = true
    this.#breakOff?.()
  }
}

/** Asks one name server for the addresses of a name, past the machine's own resolver. */
export type Resolve = (
  name: string,
  answer: (error: Error | null, addresses: readonly string[]) => void,
) => void

const timeoutMs = 2_000
/** What a name server says that has no address of one type. */
const none = new Set(['ENODATA', 'ENOTFOUND'])

/** Asks for addresses of both types, as connections do; `server`: an IP address and a port. Nothing is remembered. */
export function askServer(server: string, ...[name, answer]: Parameters<Resolve>): void {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  resolver.setServers([server])
  const ask = (found: Promise<string[]>): Promise<string[]> =>
    found.catch((error: NodeJS.ErrnoException) => {
      if (none.has(error.code ?? '')) return []
      throw error
    })
  Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]).then(
    (found) => answer(null, found.flat()),
    (error: Error) => answer(error, []),
  )
}
