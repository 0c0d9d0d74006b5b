/** A replica in a process of its own, as a part of a measurement. */
import type { TenantOptions } from '../../simulator/index.ts'
import { startChild } from '../../bench/child.ts'
import type { Started } from '../../bench/stopping.ts'
import type { Access, Order, ReplicaSettings, Seen } from './replica-child.ts'

export interface ScaledReplica extends Started {
  readonly port: number
  make(tenants: number, options?: TenantOptions): Promise<readonly Access[]>
  /** As it stands; `weigh` collects all garbage before. */
  look(): Promise<Seen>
  weigh(): Promise<Seen>
  /** Gives everything back, so that the next one has no lease to wait for; then it can only be looked at. */
  close(): Promise<void>
}

export async function startReplica(settings: ReplicaSettings = {}): Promise<ScaledReplica> {
  const {
    ready: port,
    ask,
    stop,
  } = await startChild<number>('lab/scale/replica-child.ts', JSON.stringify(settings))
  const send = async (order: Order): Promise<unknown> => {
    const answer = (await ask(order)) as { result: unknown } | { threw: string }
    if ('threw' in answer) throw new Error(`a replica could not ${order.do}: ${answer.threw}`)
    return answer.result
  }
  return {
    port,
    stop,
    make: async (tenants, options = {}) =>
      (await send({ do: 'make', tenants, abreast: 8, options })) as readonly Access[],
    look: async () => (await send({ do: 'look' })) as Seen,
    weigh: async () => (await send({ do: 'weigh' })) as Seen,
    close: async () => void (await send({ do: 'close' })),
  }
}
