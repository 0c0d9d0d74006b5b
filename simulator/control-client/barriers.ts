/** Barriers in a tenant of another process. */
import type { components } from '../../spec/types/control.ts'
import type { BarrierMatch } from '../tenant/clock/barriers.ts'
import type { Send } from './send.ts'

type Schemas = components['schemas']

export interface ControlledBarrier {
  readonly id: string
  /** Resolves once `count` turns in all (default 1) have come to it; rejects after `timeoutMs` (default 5,000). */
  reached(count?: number, options?: { timeoutMs?: number }): Promise<void>
  /** Lets every turn go on and takes the barrier away. Gives how many stood at it. */
  release(): Promise<number>
  /** Kills every turn that stands at it and takes the barrier away. Gives how many stood at it. */
  crash(): Promise<number>
}

export interface ControlledBarriers {
  /** `agent` is an id. */
  hold(match: BarrierMatch): Promise<ControlledBarrier>
  list(): Promise<readonly Schemas['Barrier'][]>
  /** One that was made elsewhere, such as by a prepared situation. */
  find(id: string): ControlledBarrier
}

function requestOf({ at, agent, key, times }: BarrierMatch): Schemas['BarrierRequest'] {
  const [, tokens] = /^after-token:(\d+)$/.exec(at) ?? []
  return {
    ...(tokens === undefined
      ? { point: at as Schemas['BarrierPoint'] }
      : { point: 'after-token', n: Number(tokens) }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(times === undefined ? {} : { times }),
  }
}

export function barriersOf(send: Send): ControlledBarriers {
  const find = (id: string): ControlledBarrier => ({
    id,
    reached: async (count = 1, { timeoutMs = 5_000 } = {}) => {
      const query = { count, timeoutMs }
      const { came, timedOut } = await send('awaitBarrier', { path: { barrierId: id }, query })
      if (timedOut)
        throw new Error(`Waited ${timeoutMs} ms for ${count} turns at the barrier ${id}, and ${came} came.`)
    },
    release: async () => (await send('releaseBarrier', { path: { barrierId: id } })).turns,
    crash: async () => (await send('crashBarrier', { path: { barrierId: id } })).turns,
  })
  return {
    hold: async (match) => find((await send('createBarrier', { body: requestOf(match) })).id),
    list: async () => (await send('listBarriers', {})).barriers,
    find,
  }
}
