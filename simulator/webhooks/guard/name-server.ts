/** Asks one name server for the addresses of a name, past the machine's own resolver. */
import { Resolver } from 'node:dns/promises'

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
