/** What kept a target from giving any response, and what to do. */
import { connect } from 'node:tls'
import { ConfigurationError } from '../../config/configuration-error.ts'
import type { Target } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { givenAs } from './given-as.ts'

export class TargetUnreachable extends Error {
  override name = 'TargetUnreachable'
}

type Failure = NonNullable<Exchange['failure']>

/** A ConfigurationError where the port speaks something else, else TargetUnreachable. */
export async function unreachable(target: Target, failure: Failure): Promise<Error> {
  const { baseUrl, proxy } = target
  const words = `${failure.kind}: ${failure.message}`
  const given = givenAs(target).baseUrl
  // The target was never seen if the proxy does not respond.
  if (proxy !== null)
    return new TargetUnreachable(
      `${baseUrl} cannot be reached through target.proxy (${words}); check target.proxy and that the proxy is up, then target.baseUrl`,
    )
  const secure = baseUrl.startsWith('https:')
  if (secure && /wrong version number|packet length too long/i.test(failure.message))
    return new ConfigurationError(`${given} ${baseUrl}: the port does not speak TLS; use http://`)
  const mayBeTls = !secure && ['reset', 'protocol'].includes(failure.kind)
  if (mayBeTls && (await speaksTls(new URL(baseUrl))))
    return new ConfigurationError(`${given} ${baseUrl}: the port speaks TLS; use https://`)
  if (failure.kind === 'protocol')
    return new ConfigurationError(
      `${given} ${baseUrl}: what listens there does not speak HTTP (${failure.message}); check the host and the port`,
    )
  if (/ENOTFOUND|EAI_AGAIN/.test(failure.message))
    return new TargetUnreachable(
      `${new URL(baseUrl).hostname} cannot be resolved (${failure.message}); check ${given}`,
    )
  return new TargetUnreachable(
    `nothing answers at ${baseUrl} (${words}); check ${given} and that the service is up`,
  )
}

const handshakeMs = 2_000

/** Whether a port completes a TLS handshake, with whatever certificate. Nothing is sent on it. */
function speaksTls({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false })
    const end = (speaks: boolean): void => {
      socket.destroy()
      resolve(speaks)
    }
    socket.setTimeout(handshakeMs, () => end(false))
    socket.once('secureConnect', () => end(true)).once('error', () => end(false))
  })
}
