/** The base address of a service: where a key may be sent to. */
import { CommandUsageError } from '../usage-error.ts'

/**
 * Without a trailing slash. `from` is what it was given by, for the error. Throws a UsageError where it is none, or
 * where the key would cross a network in the clear: `http:` beyond this machine only where `allowHttp` says so.
 */
export function baseUrlFrom(from: string, given: string, allowHttp = false): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandUsageError(`${from} is no address: give one such as https://service.example.`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new CommandUsageError(`${from} may have no user, query or fragment: give the address alone.`)
  if (url.protocol === 'http:' && !loopback.test(url.hostname) && !allowHttp)
    throw new CommandUsageError(
      `${from} is ${url.origin}, and http: would send the key readable over the network: use https:, or add --allow-http where the network is your own.`,
    )
  return url.href.replace(/\/+$/, '')
}

const loopback = /^(127(\.\d{1,3}){3}|localhost|.+\.localhost|\[::1\])$/
