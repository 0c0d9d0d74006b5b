/** Puts a tenant into the state of a snapshot. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../json.ts'
import type { TenantOptions } from '../../tenant.ts'
import { machineNow } from '../../tenant/clock/machine-time.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { codecs } from '../codecs/codecs.ts'
import { kinds, wake } from '../restore.ts'
import type { Snapshot, SnapshotEntry } from './document.ts'
import { proveIdle, snapshotOptions } from './take.ts'

/** Throws a RangeError for a snapshot of another tenant, and while a turn is in flight. */
export function proveRestorable(state: TenantState, options: TenantOptions, snapshot: Snapshot): void {
  proveIdle(state)
  if (snapshot.seed !== state.seed)
    throw new RangeError(
      `The snapshot is of the tenant with the seed ${JSON.stringify(snapshot.seed)}: create a tenant from it.`,
    )
  const own: unknown = JSON.parse(JSON.stringify(snapshotOptions(state, options)))
  if (!isDeepStrictEqual(own, snapshot.options))
    throw new RangeError(
      'The snapshot is of a tenant that was created with other options: remove this one, and create a tenant from it.',
    )
}

/** Fills a tenant that has nothing but its fixtures. No timer starts before `wake`. Throws on a damaged entry. */
export function readSnapshot(state: TenantState, { entries, generators, rates }: Snapshot): void {
  state.random.moveTo(generators.tenant)
  state.outbox.random.moveTo(generators.deliveries)
  state.operations.random.moveTo(generators.operations)
  state.rates.restore(Object.entries(rates))
  for (const kind of kinds) for (const entry of entries) if (entry.kind === kind) readEntry(state, entry)
  for (const [account, position] of Object.entries(generators.accounts))
    state.operations.data.get(account)?.random.moveTo(position)
}

function readEntry(state: TenantState, { kind, id, place, since, body }: SnapshotEntry): void {
  const own = kind === 'settings' ? { ...body, ...presentSettings(state, body) } : body
  codecs[kind].read(state, id, { body: own, place: { number: place, since } })
}

/** The settings count whatever the tenant was started with. A scaled clock continues where it was. */
function presentSettings({ begunWith }: TenantState, { clock }: SnapshotEntry['body']) {
  return { begunWith, clock: { machine: machineNow(), ...(isObject(clock) && clock) } }
}

/** Starts the timers, and marks everything as changed. */
export function wakeRestored(state: TenantState, { entries }: Snapshot): void {
  wake(state)
  for (const { kind, id } of entries) state.changes.mark(kind, id)
}
