/** Runs deploy/compose.postgres.yaml: two replicas over PostgreSQL behind nginx. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { createControlClient } from '../../simulator/control-client/index.ts'
import type { Podman } from './podman.ts'
import { up, variables } from './stack.ts'
import { turn, type Customer } from './turn.ts'

/** Longer than a lease. Throws if the last response is not the one expected. */
async function untilServed(url: string, customer: Customer, key: string): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status, text } = await turn(url, customer, key)
    const seconds = (performance.now() - began) / 1000
    if (status === 200) return seconds
    assert.ok(seconds < 30, `not served 30 s after the death of a replica: ${status} ${text}`)
    await wait(500)
  }
}

/** Sends turns through nginx and each replica, and kills one of them. */
export async function runReplicas(podman: Podman): Promise<void> {
  const stack = await up(podman, 'compose.postgres.yaml')
  const { url } = stack
  const replicas = ['simulator-1', 'simulator-2'].map((name) => stack.addressOf(name))
  const customers = await Promise.all(
    replicas.map((replica) =>
      createControlClient({ url: replica, token: variables.CONTROL_TOKEN }).createTenant(),
    ),
  )
  for (const [at, customer] of customers.entries()) {
    const first = await turn(url, customer, 'once')
    assert.equal(first.status, 200)
    // Both, of which one owns the tenant and the other one forwards.
    for (const replica of [...replicas, url])
      assert.deepEqual(await turn(replica, customer, 'once'), { ...first, isReplay: true })
    console.log(`tenant ${at + 1}: a turn through nginx is replayed by each replica`)
  }
  podman.run('stop', '--time', '0', stack.containerOf('simulator-1'))
  for (const [at, customer] of customers.entries()) {
    const seconds = await untilServed(url, customer, 'after')
    const again = await turn(url, customer, 'once')
    assert.deepEqual([again.status, again.isReplay], [200, true])
    console.log(`tenant ${at + 1}: served again ${seconds.toFixed(1)} s after replica 1 was killed`)
  }
  stack.down()
}
