/** How much a tenant remembers, and for how long: what bounds its memory and its place in a store. */
import type { Limit } from './book.ts'

const day = 86_400_000
const mebibyte = 1024 * 1024

/** What is remembered of each kind. `keys`: of chat turns and of the older variant; `runs`: of operations. */
export const retention = {
  keys: { most: 100_000, bytes: 64 * mebibyte, ageMs: 7 * day },
  conversations: { most: 50_000, ageMs: 30 * day },
  offers: { most: 50_000, bytes: 32 * mebibyte, ageMs: 7 * day },
  histories: { most: 10_000, bytes: 64 * mebibyte, ageMs: 30 * day },
  runs: { most: 50_000, ageMs: 7 * day },
  tasks: { most: 10_000, bytes: 32 * mebibyte, ageMs: 30 * day },
  approvals: { most: 10_000, ageMs: 30 * day },
  /** Of each list of an account, such as its notes. */
  rows: { most: 1_000, bytes: 4 * mebibyte, ageMs: Infinity },
  /** In the logs of all webhooks, and as many that wait; each webhook has limits of its own besides. */
  deliveries: { most: 100_000, bytes: 64 * mebibyte, ageMs: 7 * day },
  webhooks: { most: 10_000, ageMs: Infinity },
} as const satisfies Record<string, Limit>

export type Remembered = keyof typeof retention
export type Retention = Readonly<Record<Remembered, Limit>>
