/** Writes to a store in a folder until the disk is full, makes room, and goes on; prints what it met as JSON. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../simulator/store/open.ts'
import type { Store } from '../../simulator/store/store.ts'

const [folder = ''] = process.argv.slice(2)
const url = `file:${join(folder, 'store.db')}`
const ballast = join(folder, 'ballast')
const body = JSON.stringify('x'.repeat(3_000))
const each = 20

async function countOf(store: Store): Promise<number> {
  return (await Array.fromAsync(store.documents('x'))).length
}

let number = 0
function write(store: Store): Promise<unknown> {
  const put = Array.from({ length: each }, () => ({
    kind: 'key',
    id: `k${number}`,
    place: (number += 1),
    body,
  }))
  return store.commit('a', [{ tenant: 'x', epoch: 1, put, removed: [], dueInMs: null }])
}

const store = await openStore(url)
await store.found({ id: 'x', seed: '', options: '{}' }, ['t'], 'a')
writeFileSync(ballast, Buffer.alloc(1_500_000))
let written = 0
/** What the first commit that does not fit is reported. */
async function refusal(): Promise<string> {
  for (;;)
    try {
      await write(store)
      written += each
    } catch (error) {
      return String(error)
    }
}
const reported = await refusal()
const again = await write(store).catch(String)
const full = { kept: (await countOf(store)) === written, known: await store.tenantOf('t') }
rmSync(ballast)
await write(store)
const room = (await countOf(store)) === written + each
await store.close()
console.log(JSON.stringify({ reported, again, full, room }))
