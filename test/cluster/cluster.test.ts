/** Two replicas over one PostgreSQL behind nginx: each server gives access to the same service. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { front } from './balancer.ts'
import { agreement } from './agreement.ts'
import { noCluster, startCluster, type Cluster } from './cluster.ts'
import { control } from './control.ts'
import { ended } from './ended.ts'
import { createTenantServers } from './tenant-servers.ts'
import { killed } from './killed.ts'
import { stopped } from './stopped.ts'

test('the page shows the nginx that is tested', () => {
  const page = readFileSync(new URL('../../docs/shared.md', import.meta.url), 'utf8')
  const [, shown] = /^```nginx\n([^]*?)^```$/m.exec(page) ?? []
  expect(shown).toBe(front('80', ['10.0.0.7:4010', '10.0.0.8:4010']))
})

if (noCluster) console.warn(`skipped: the tests of a cluster; ${noCluster}`)

describe.skipIf(noCluster)('two replicas over PostgreSQL behind nginx', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  describe('are one service:', () => {
    const promises = [...agreement, ...control].map((row, at) => [...row, at] as const)
    test.concurrent.for(promises)('%s', async ([, keep, at]) => {
      const [front, one, two] = cluster.servers
      // Each of them runs half of the tenants.
      const house = await (at % 2
        ? createTenantServers(front, two, one)
        : createTenantServers(front, one, two))
      await expect(keep(house)).resolves.toBeUndefined()
    })
  })
  describe('when one of them', () => {
    const accidents = [
      ['is killed, its turns are uncertain, and the other one sends what it had to send', killed],
      ['hangs for longer than its lease, nothing of what it does then counts', stopped],
      ['is stopped, nothing is lost and nothing runs twice', ended],
    ] as const

    test.for(accidents)('%s', async ([, happen]) => {
      await expect(happen(cluster)).resolves.toBeUndefined()
    })
  })
})
