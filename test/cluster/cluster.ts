/** What a team runs: one PostgreSQL, two replicas over it, nginx before them. */
import { freePort } from '../../bench/processes/server-process.ts'
import { programs } from '../postgres/programs.ts'
import { startPostgres } from '../postgres/server.ts'
import { noBalancer, startBalancer } from './balancer.ts'
import { startReplica, type Replica } from './replica.ts'

/** Why there can be none here; undefined: there can. */
export const noCluster: string | undefined =
  programs === undefined ? 'PostgreSQL is not on this machine: apt-get install postgresql' : noBalancer

/** How long the others leave the tenants of a replica alone that says nothing any more. */
export const leaseSeconds = 2

export const controlToken = 'a-token-that-all-replicas-know'

export interface Cluster extends AsyncDisposable {
  readonly replicas: readonly [Replica, Replica]
  /** Base addresses: that of nginx, and those of the replicas. */
  readonly servers: readonly [front: string, one: string, two: string]
}

export async function startCluster(): Promise<Cluster> {
  await using parts = new AsyncDisposableStack()
  const postgres = parts.use(await startPostgres())
  const start = async (port: number): Promise<Replica> =>
    parts.adopt(await startReplica({ store: postgres.url, port, leaseSeconds, controlToken }), (replica) =>
      replica.kill(),
    )
  const [one, two] = await Promise.all([start(await freePort()), start(await freePort())])
  const balancer = parts.use(await startBalancer([one.url, two.url]))
  const all = parts.move()
  return {
    replicas: [one, two],
    servers: [balancer.url, one.url, two.url],
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
