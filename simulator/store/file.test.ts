import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
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
      /is of version 99, and this program knows versions up to 3: take a newer one/,
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

describe('a damaged file', () => {
  const put = Array.from({ length: 300 }, (_, at) => ({
    ...document(`k${at}`),
    place: at,
    body: `{"said":"${at} ${'word '.repeat(20)}"}`,
  }))
  const written = async (): Promise<Buffer> => {
    const path = fresh()
    const store = openFileStore(path)
    await store.found({ ...row, seed: 'a seed of its own' }, ['t'], 'a')
    await store.commit('a', [{ tenant: 'x', epoch: 1, put, removed: [], dueInMs: null }])
    await store.close()
    return readFileSync(path)
  }
  const read = async (bytes: Uint8Array) => {
    const path = fresh()
    writeFileSync(path, bytes)
    const store = openFileStore(path)
    try {
      return await Array.fromAsync(store.documents('x'))
    } finally {
      await store.close()
    }
  }
  const damaged = /is damaged: put back a copy, or give another file/

  test('whose tail is cut off is refused at the start', async () => {
    const bytes = await written()
    expect(await read(bytes)).toEqual(put)
    for (const cut of [1, 3_000, 4_096, 20_000, bytes.length - 1])
      await expect(read(bytes.subarray(0, bytes.length - cut))).rejects.toThrow(damaged)
  })

  test('that is gone is not made anew beside its log', () => {
    const path = fresh()
    writeFileSync(`${path}-wal`, 'log')
    expect(() => openFileStore(path)).toThrow(damaged)
  })

  test('with a bit flipped in a body or a seed is refused at the start', async () => {
    const bytes = await written()
    for (const text of ['"150 word', '"7 word', '"299 word', 'seed of its own']) {
      const flipped = Buffer.from(bytes)
      // A page that was split leaves a copy behind, which is nothing any more.
      for (let at = flipped.indexOf(text); at !== -1; at = flipped.indexOf(text, at))
        flipped[at + 1] = (flipped[at + 1] ?? 0) ^ 1
      await expect(read(flipped)).rejects.toThrow(damaged)
    }
  })

  test('with bits flipped anywhere is refused, or has every document as it was written', async () => {
    const bytes = await written()
    const outcomes = new Map<string, number>()
    const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    for (let at = 100; at < bytes.length; at += 997) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 4
      await read(flipped).then(
        (found) => count(isDeepStrictEqual(found, put) ? 'whole' : `changed at ${at}`),
        () => count('refused'),
      )
    }
    expect([...outcomes.keys()].toSorted()).toEqual(['refused', 'whole'])
    expect(outcomes.get('refused')).toBeGreaterThan(20)
  })
})
