import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { openFileStore } from './file.ts'
import { storeSuite } from './store-suite.testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const fresh = (): string => join(folder, `${(files += 1)}.db`)
const row = { id: 'x', seed: 's', options: '{}' }
const document = (id: string) => ({ kind: 'key', id, place: 1, body: '{}' })

describe('a store in a file does what every store does:', () => {
  storeSuite(async () => {
    const store = openFileStore(fresh())
    return { store, end: () => store.close() }
  })
})

describe('a store in a file', () => {
  test('is for one process: another is refused at once, and let in once the first has ended', async () => {
    const path = fresh()
    const first = openFileStore(path)
    expect(() => openFileStore(path)).toThrow(`The file ${path} is in use by another process`)
    await first.found(row, ['t'], 'a')
    await first.close()
    const second = openFileStore(path)
    expect(await second.tenantOf('t')).toBe('x')
    await second.close()
  })

  test('gives what it held to whoever opens it next, whatever the lease was', async () => {
    const path = fresh()
    const first = openFileStore(path)
    await first.renew({ id: 'a', address: 'http://a' }, 3_600_000)
    await first.found(row, [], 'a')
    const put = [document('k')]
    await first.commit('a', [{ tenant: 'x', epoch: 1, put, removed: [], dueInMs: 0 }])
    await first.close()
    const next = openFileStore(path)
    expect(await next.claimDue('b', 9, [])).toEqual([{ ...row, epoch: 2 }])
    expect(await Array.fromAsync(next.documents('x'))).toEqual(put)
    await next.close()
  })

  test('can be read by its user alone', async () => {
    const path = fresh()
    await openFileStore(path).close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('writes nothing of a commit of which a part cannot be written', async () => {
    const store = openFileStore(fresh())
    await store.found(row, [], 'a')
    const put = [document('first'), { ...document('second'), place: Number.NaN }]
    const removed = [] as const
    await expect(store.commit('a', [{ tenant: 'x', epoch: 1, put, removed, dueInMs: null }])).rejects.toThrow(
      'NOT NULL',
    )
    expect(await Array.fromAsync(store.documents('x'))).toEqual([])
    await store.close()
  })

  test('gives room back that nothing needs any more', async () => {
    const path = fresh()
    const store = openFileStore(path)
    await store.found(row, [], 'a')
    const put = Array.from({ length: 200 }, (_, at) => ({
      ...document(`k${at}`),
      body: `"${'x'.repeat(8_000)}"`,
    }))
    await store.commit('a', [{ tenant: 'x', epoch: 1, put, removed: [], dueInMs: null }])
    await store.remove('a', { id: 'x', epoch: 1 })
    await store.close()
    expect(statSync(path).size).toBeLessThan(200_000)
  })
})

describe('a file that cannot be a store is refused with what to do:', () => {
  const database = (sql: string) => (path: string) => {
    const made = new DatabaseSync(path)
    made.exec(sql)
    made.close()
  }
  const newer = (path: string): void => {
    void openFileStore(path).close()
    database('pragma user_version = 99')(path)
  }
  test.for<[string, (path: string) => void, RegExp]>([
    ['text', (path) => writeFileSync(path, 'hello '.repeat(200)), /is no store: give another file/],
    ['a folder', (path) => mkdirSync(path), /cannot be opened \(EISDIR\): see that/],
    [
      'of another program',
      database('create table a (b)'),
      /is a database of another program: give another file/,
    ],
    [
      'of a newer version',
      newer,
      /is of version 99, and this program knows versions up to 1: take a newer one/,
    ],
  ])('%s', ([, make, words]) => {
    const path = fresh()
    make(path)
    expect(() => openFileStore(path)).toThrow(words)
  })

  test('in a folder that is not there', () => {
    expect(() => openFileStore(join(folder, 'none', 'x.db'))).toThrow(
      /cannot be opened \(ENOENT\): see that its folder is there/,
    )
  })
})
