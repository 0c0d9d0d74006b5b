/** Many turns, webhook events and operations over a week of a tenant's time: how much is remembered at each tenth. */
import { statSync } from 'node:fs'
import { live } from '../../simulator/persistence/life.testkit.ts'
import { openStore } from '../../simulator/store/open.ts'
import type { TenantOptions } from '../../simulator/tenant.ts'
import { droppedOf, type Dropped } from '../../simulator/tenant/dropped.ts'

export interface GrowthOptions {
  /** Turns, each with a key and a conversation of its own. */
  readonly keys: number
  /** How much time of the tenant they take, in days. Default 7. */
  readonly days?: number
  /** A file to keep everything in; default: nothing is kept. */
  readonly file?: string
  readonly retention?: TenantOptions['retention']
}

export interface Sample {
  readonly turns: number
  readonly keys: number
  readonly conversations: number
  readonly heapMiB: number
  /** 0 where nothing is kept. */
  readonly fileMiB: number
}

export interface Growth {
  readonly samples: readonly Sample[]
  readonly dropped: Dropped
}

const dayMs = 86_400_000
const mebibyte = 2 ** 20

/** Of the database and its log. */
function sizeOf(file: string | undefined): number {
  if (file === undefined) return 0
  const bytes = ['', '-wal'].map((end) => statSync(file + end, { throwIfNoEntry: false })?.size ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0) / mebibyte
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / mebibyte
}

export async function grow({ keys, days = 7, file, retention = {} }: GrowthOptions): Promise<Growth> {
  const store = await openStore(file === undefined ? 'memory:' : `file:${file}`)
  const life = await live(store, { unlimited: true, retention })
  const { tenant, say, writeBehind } = life
  const { state } = tenant
  tenant.setCredits('main', 1e9)
  const samples: Sample[] = []
  for (let turns = 1; turns <= keys; turns++) {
    await say({ message: 'hello', idempotency_key: `key-${turns}-of-many` })
    // Together with what other clients would send in the same moment.
    if (turns % 100 === 0)
      await Promise.all([writeBehind.flush(), state.clock.advance((days * dayMs * 100) / keys)])
    if (turns % Math.ceil(keys / 10) === 0) {
      const sizes = { keys: state.keys.size, conversations: state.conversations.size }
      samples.push({ turns, ...sizes, heapMiB: heap(), fileMiB: sizeOf(file) })
    }
  }
  await writeBehind.flush()
  const dropped = droppedOf([state])
  life.die()
  await store.close()
  return { samples, dropped }
}
