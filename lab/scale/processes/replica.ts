/** Controls a replica in its own process. */
import type { TenantOptions } from '../../../simulator/index.ts'
import { startChild } from '../../../bench/processes/child.ts'
import type { Started } from '../../../bench/processes/auto-stop.ts'
import type { TenantAccess, ReplicaCommand, ReplicaSettings, ReplicaStatus } from './replica-child.ts'

export interface ScaledReplica extends Started {
  readonly port: number
  make(tenants: number, options?: TenantOptions): Promise<readonly TenantAccess[]>
  /** Current resource use; `weigh` collects all garbage before. */
  status(): Promise<ReplicaStatus>
  statusAfterGc(): Promise<ReplicaStatus>
  /** Releases all leases, so that the next replica need not wait for them; afterwards only `status` works. */
  close(): Promise<void>
}

export async function startReplica(settings: ReplicaSettings = {}): Promise<ScaledReplica> {
  const {
    ready: port,
    request: ask,
    stop,
  } = await startChild<number>('lab/scale/processes/replica-child.ts', JSON.stringify(settings))
  const send = async (command: ReplicaCommand): Promise<unknown> => {
    const answer = (await ask(command)) as { result: unknown } | { threw: string }
    if ('threw' in answer) throw new Error(`a replica could not ${command.do}: ${answer.threw}`)
    return answer.result
  }
  return {
    port,
    stop,
    make: async (tenants, options = {}) =>
      (await send({ do: 'make', tenants, concurrency: 8, options })) as readonly TenantAccess[],
    status: async () => (await send({ do: 'status' })) as ReplicaStatus,
    statusAfterGc: async () => (await send({ do: 'statusAfterGc' })) as ReplicaStatus,
    close: async () => void (await send({ do: 'close' })),
  }
}
