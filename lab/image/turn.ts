/** One turn of a tenant through one server. */
import type { ControlledTenant } from '../../simulator/control-client/index.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly isReplay: boolean
}

export type Customer = Pick<ControlledTenant, 'keys' | 'agents'>

/** Sends the turn with this idempotency key. Throws if there is no response within 15 s. */
export async function turn(url: string, { keys, agents }: Customer, key: string): Promise<Reply> {
  const response = await fetch(`${url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.main}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ message: `What does ${key} cost?` }),
    signal: AbortSignal.timeout(15_000),
  })
  const isReplay = response.headers.get('x-service-idempotent-replay') === 'true'
  return { status: response.status, text: await response.text(), isReplay }
}
