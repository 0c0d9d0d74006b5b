/** Takes a snapshot of a tenant: as an object, or as text. */
import type { JsonObject } from '../../json.ts'
import { machineNow } from '../../tenant/clock/machine-time.ts'
import type { EntryKind } from '../../tenant/changes.ts'
import { turnsOf } from '../../chat/drive.ts'
import type { TenantOptions } from '../../tenant.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import { codecs } from '../codecs/codecs.ts'
import { asBody } from '../codecs/stored-json.ts'
import { kinds } from '../restore.ts'
import {
  sealedSnapshot,
  snapshotFormat,
  type Generators,
  type Snapshot,
  type SnapshotEntry,
  type SnapshotHead,
  type SnapshotOptions,
} from './document.ts'
import { BoundedTexts, sealedText } from './text.ts'

/** Throws a RangeError while a turn or a write is in flight, and while the tenant has barriers. */
export function takeSnapshot(state: TenantState, options: TenantOptions): Snapshot {
  const entries = (kind: EntryKind): SnapshotEntry[] =>
    [...entriesOf(state, kind)].sort((one, other) => one.place - other.place)
  return sealedSnapshot({ ...headOf(state, options), entries: kinds.flatMap(entries) })
}

/**
 * The same as JSON in UTF-8. Rejects also if it would have more than `most` bytes: no more than that is made. The state is
 * that of the call; the digest is computed in several turns of the event loop.
 */
export async function takeSnapshotText(
  state: TenantState,
  options: TenantOptions,
  most: number,
): Promise<Uint8Array> {
  const head = headOf(state, options)
  const texts = new BoundedTexts(most)
  texts.prove(kinds.values().flatMap((kind) => entriesOf(state, kind)))
  texts.text(head)
  for (const kind of kinds) texts.add(entriesOf(state, kind))
  return sealedText(head, texts.all)
}

function headOf(state: TenantState, options: TenantOptions): SnapshotHead {
  proveIdle(state)
  if (state.barriers.any)
    throw new RangeError('The tenant has barriers, which a snapshot cannot store: release them first.')
  return {
    format: snapshotFormat,
    seed: state.seed,
    at: new Date(state.clock.now()).toISOString(),
    options: snapshotOptions(state, options),
    generators: generatorsOf(state),
    rates: Object.fromEntries(state.rates.counts),
  }
}

/** Throws a RangeError while a turn or a write of operations is in flight. */
export function proveIdle(state: TenantState): void {
  const { keys, older, operations } = state
  const turns = Math.max(turnsOf(state), keys.running.length + older.keys.running.length)
  const writes = operations.runs
    .values()
    .filter(({ receipt }) => receipt === null)
    .toArray().length
  if (turns + writes > 0)
    throw new RangeError(
      `Turns or operations in flight: ${turns + writes}. Wait for them, or release or crash their barrier first.`,
    )
}

export function snapshotOptions(
  { vendor, identifiers }: TenantState,
  { legacy = false, unlimited = false, tasks, replyRules = [], networkFaults = [] }: TenantOptions,
): SnapshotOptions {
  return { vendor, identifiers, legacy, unlimited, ...(tasks && { tasks }), replyRules, networkFaults }
}

function generatorsOf({ random, outbox, operations }: TenantState): Generators {
  return {
    tenant: random.position,
    deliveries: outbox.random.position,
    operations: operations.random.position,
    accounts: Object.fromEntries([...operations.data].map(([id, data]) => [id, data.random.position])),
  }
}

function* entriesOf(state: TenantState, kind: EntryKind): Generator<SnapshotEntry> {
  for (const id of codecs[kind].ids(state)) {
    const written = codecs[kind].write(state, id)
    if (!written) continue
    const { number: place, since } = written.place
    const body = kind === 'settings' ? { ...written.body, ...ownSettings(state) } : written.body
    yield { kind, id, place, since, body }
  }
}

/** Real time passes until the snapshot is restored; frozen and scaled time stand still. */
function ownSettings({ clock }: TenantState): JsonObject {
  const { setting } = clock
  const real = setting.mode === 'real' || setting.mode === 'offset'
  return asBody({
    begunWith: '',
    clock: { setting, at: clock.now(), ...(real && { machine: machineNow() }) },
  })
}
