/** The store in PostgreSQL, on a real server. */
import { inspect } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres.ts'
import type { Store } from '../../simulator/store/store.ts'
import { storeSuite } from '../../simulator/store/store-suite.testkit.ts'
import { programs } from './programs.ts'
import { startPostgres, type Postgres } from './server.ts'

describe.skipIf(!programs)('a store in PostgreSQL', () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  let schemas = 0
  const fresh = (): string => `${server.url}?schema=s${(schemas += 1)}`
  const row = { id: 'x', seed: 's', options: '{}' }
  const change = (body: string) => [
    { tenant: 'x', epoch: 1, put: [{ kind: 'key', id: 'k', place: 1, body }], removed: [], dueInMs: null },
  ]
  /** More than are read at once. */
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    kind: 'key',
    id: `k${at}`,
    place: at,
    body: '{}',
  }))
  const bodies = async (store: Store): Promise<readonly string[]> =>
    (await Array.fromAsync(store.documents('x'))).map(({ body }) => body)

  async function withClient<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      return await run(client)
    } finally {
      await client.end()
    }
  }

  describe('does what every store does:', () => {
    storeSuite(async () => {
      const url = fresh()
      const [store, beside] = await Promise.all([openPostgresStore(url), openPostgresStore(url)])
      const end = async (): Promise<void> => {
        await Promise.all([store.close(), beside.close()])
      }
      return { store, beside, end }
    })
  })

  test('is made by one of many that start at once, and found by the others', async () => {
    const url = fresh()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore(url)))
    await stores[0]?.found(row, ['t'], 'a')
    expect(await Promise.all(stores.map((store) => store.tenantOf('t')))).toEqual(stores.map(() => 'x'))
    await Promise.all(stores.map((store) => store.close()))
  })

  test('is away while the server is, and back with it, on connections that were open before', async () => {
    const store = await openPostgresStore(fresh())
    await store.found(row, ['t'], 'a')
    await server.pause()
    const tries = [store.tenantOf('t'), store.commit('a', change('1')), bodies(store), store.claim('x', 'b')]
    const reported = await Promise.allSettled([...tries, openPostgresStore(fresh())])
    expect(reported.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
      reported.map(() =>
        expect.stringMatching(/^StoreAway: PostgreSQL at 127\.0\.0\.1:\d+\/postgres cannot be used: /),
      ),
    )
    await server.resume()
    expect(await store.commit('a', change('2'))).toEqual([])
    expect(await bodies(store)).toEqual(['2'])
    await store.close()
  })

  test('takes no commit that comes after a later one, though its connection was given up', async () => {
    const store = await openPostgresStore(fresh(), { connect: 2_000, look: 2_000, work: 500 })
    await store.found(row, [], 'a')
    await withClient(async (client) => {
      const { rows } = await client.query(
        `select pid from pg_stat_activity where application_name = 'touchstone' and state = 'idle'`,
      )
      const pids = rows.map(({ pid }) => Number(pid))
      // What they are sent meanwhile waits for them.
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      await expect(store.commit('a', change('early'))).rejects.toThrow('Query read timeout')
      expect(await store.commit('a', change('late'))).toEqual([])
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      const gone = `select count(*) = 0 as gone from pg_stat_activity where pid = any ($1)`
      while (!(await client.query({ text: gone, values: [pids] })).rows[0]?.['gone']);
    })
    expect(await bodies(store)).toEqual(['late'])
    await store.close()
  })

  test('breaks off what is being read when the server ends, and ends nothing else with it', async () => {
    const store = await openPostgresStore(fresh())
    await store.found(row, [], 'a')
    await store.commit(
      'a',
      change('{}').map((commit) => ({ ...commit, put: many })),
    )
    const reader = store.documents('x')[Symbol.asyncIterator]()
    await reader.next()
    await server.pause()
    await server.resume()
    const rest = async (): Promise<void> => {
      while (!(await reader.next()).done);
    }
    await expect(rest()).rejects.toThrow('cannot be used')
    expect(await bodies(store)).toHaveLength(many.length)
    await store.close()
  })

  test('renews a lease while many tenants are being read', async () => {
    const store = await openPostgresStore(fresh())
    await store.found(row, [], 'a')
    await store.commit(
      'a',
      change('{}').map((commit) => ({ ...commit, put: many })),
    )
    const readers = Array.from({ length: 12 }, () => store.documents('x')[Symbol.asyncIterator]())
    const first = readers.map((reader) => reader.next())
    await Promise.race(first)
    await store.renew({ id: 'a', address: '' }, 1_000)
    for (const [at, reader] of readers.entries()) {
      expect(await first[at]).toMatchObject({ value: { id: 'k0' } })
      await reader.return?.()
    }
    await store.close()
  })

  test('gives a tenant to one of two that looked at it when it was free', async () => {
    const url = fresh()
    const stores = await Promise.all([openPostgresStore(url), openPostgresStore(url)])
    const owners = ['b', 'c']
    await stores[0]?.found(row, [], 'a')
    for (const id of owners) await stores[0]?.renew({ id, address: `http://${id}` }, 3_600_000)
    const claims = await withClient(async (client) => {
      // Both see that it is free, and wait for the row.
      await client.query(`begin; select from s${schemas}.tenants for update`)
      const claims = stores.map((store, at) => store.claim('x', owners[at] ?? ''))
      const waiting = `select count(*) as number from pg_stat_activity where wait_event_type = 'Lock'`
      while (Number((await client.query(waiting)).rows[0]?.['number']) < claims.length);
      await client.query('commit')
      return Promise.all(claims)
    })
    const winner = claims.findIndex((claim) => claim.is === 'claimed')
    expect(claims[1 - winner]).toEqual({ is: 'held', address: `http://${owners[winner]}` })
    await Promise.all(stores.map((store) => store.close()))
  })

  test('writes nothing of a commit of which a part cannot be written', async () => {
    const store = await openPostgresStore(fresh())
    await store.found(row, [], 'a')
    const broken = { kind: 'key', id: 'other', place: 2, body: null as unknown as string }
    const commits = change('1').map((commit) => ({ ...commit, put: [...commit.put, broken] }))
    await expect(store.commit('a', commits)).rejects.toThrow('violates not-null constraint')
    expect(await bodies(store)).toEqual([])
    await store.close()
  })

  describe('is refused with what to do', () => {
    const refused = (url: string): Promise<string> => openPostgresStore(url).then(() => 'opened', String)

    test('where its tables are of a newer version', async () => {
      const url = fresh()
      await (await openPostgresStore(url)).close()
      await withClient((client) => client.query(`update s${schemas}.version set number = 99`))
      expect(await refused(url)).toMatch(
        /is of version 99, and this program knows versions up to 1: take a newer one/,
      )
    })

    test('where there is no such database, and where its texts cannot hold all of ours', async () => {
      const at = (name: string): string => server.url.replace(/\w+$/, name)
      await withClient((client) =>
        client.query(`create database plain encoding 'SQL_ASCII' template template0`),
      )
      expect(await refused(at('none'))).toMatch(/cannot hold a store: database "none" does not exist/)
      expect(await refused(at('plain'))).toMatch(/has texts in SQL_ASCII, .* with encoding 'UTF8'/)
    })

    test('without a word of the password', async () => {
      const secret = 'p4ssw0rd'
      const away = server.url.replace('touchstone@127.0.0.1', `touchstone:${secret}@127.0.0.1`)
      const urls = [
        away.replace(/:\d+\//, ':1/'),
        away.replace('postgres:', 'post gres:'),
        away.replace(/\w+$/, 'none'),
        `${away}?sslmode=verify-full`,
        `${away}?schema=%00`,
      ]
      const reported = await Promise.all(
        urls.map((url) => openPostgresStore(url).catch((error: unknown) => error)),
      )
      expect(reported.every((error) => error instanceof Error)).toBe(true)
      expect(
        reported.map((error) => inspect(error, { depth: 9, showHidden: true })).join('\n'),
      ).not.toContain(secret)
    })
  })
})
