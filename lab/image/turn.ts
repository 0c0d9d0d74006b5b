/** One turn of a tenant through one server. */
import { request } from 'undici'
import type { ControlledTenant } from '../../simulator/control-client/index.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly isReplay: boolean
}

export type Customer = Pick<ControlledTenant, 'keys' | 'agents'>

/** Sends the turn with this idempotency key. Throws if there is no response within 15 s. */
export async function turn(url: string, { keys, agents }: Customer, key: string): Promise<Reply> {
  const { statusCode, headers, body } = await request(`${url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.main}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ message: `What does ${key} cost?` }),
    // The server of an open connection may have ended since.
    reset: true,
    signal: AbortSignal.timeout(15_000),
  })
  const isReplay = headers['x-service-idempotent-replay'] === 'true'
  return { status: statusCode, text: await body.text(), isReplay }
}
