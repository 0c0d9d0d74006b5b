/** A snapshot of a tenant as one JSON document: how it is taken, verified, and put back. */
import type { ReplyRule } from '../tenant/reply-rule.ts'
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { turnsOf } from '../chat/run.ts'
import { canonicalJson, isObject, type JsonObject } from '../json.ts'
import type { NetworkFault } from '../tenant/network-fault.ts'
import type { TaskPace } from '../tenant/operations/operation.ts'
import type { EntryKind } from '../tenant/conversations.ts'
import type { RateCount } from '../tenant/rate.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { byPlace, codecs, kinds, readEntries, wake, type Entry } from './codecs.ts'

export const snapshotFormat = 'touchstone-snapshot/1'

/** What a tenant was made with, as far as it needs that to respond, and to reset, as the original does. */
interface OwnOptions {
  legacy?: boolean
  unlimited?: boolean
  tasks?: TaskPace
  replyRules?: readonly ReplyRule[]
  networkFaults?: readonly NetworkFault[]
}

export interface Snapshot {
  readonly format: typeof snapshotFormat
  readonly seed: string
  /** Time of the tenant when the snapshot was taken, in ISO 8601. */
  readonly at: string
  readonly options: ReturnType<typeof snapshotOptions>
  /** Positions of the generators of ids. */
  readonly generators: ReturnType<typeof generatorsOf>
  readonly rates: Readonly<Record<string, RateCount>>
  readonly entries: readonly Entry[]
  /** SHA-256 of the rest: detects damage, not forgery. */
  readonly digest: string
}

export const optionsFrom = ({ seed, options }: Snapshot) => ({ seed, ...options })

/** Copies the content, so that it does not change with the tenant. */
export function sealedSnapshot(content: Omit<Snapshot, 'digest'>): Snapshot {
  const copy = JSON.parse(JSON.stringify(content)) as JsonObject
  return { ...copy, digest: digestOf(copy) } as unknown as Snapshot
}

/** Throws a RangeError for a value that is not an undamaged snapshot of this format. */
export function snapshotIn(value: unknown): Snapshot {
  if (!isObject(value)) throw new RangeError('The snapshot is not a JSON object.')
  const { format, digest, ...content } = value
  if (format !== snapshotFormat)
    throw new RangeError(
      `The snapshot has the format ${JSON.stringify(format ?? null)}: this version reads ${snapshotFormat}.`,
    )
  if (digest !== digestOf({ format, ...content }))
    throw new RangeError(
      'The snapshot is damaged or was edited, because its digest differs: download it again.',
    )
  return value as unknown as Snapshot
}

const digestOf = (content: JsonObject): string => `sha256:${hash('sha256', canonicalJson(content), 'hex')}`

/**
 * Throws a RangeError while a turn or a write is in flight, while the tenant has barriers, and where the entries have
 * more than `mostBytes` as JSON: no further ones are made.
 */
export function takeSnapshot(state: TenantState, options: OwnOptions, mostBytes = Infinity): Snapshot {
  proveIdle(state)
  if (state.barriers.any)
    throw new RangeError('Holds on turns are set, which a snapshot cannot store: release them first.')
  const entries: Entry[] = []
  let left = mostBytes
  for (const entry of kinds.flatMap((kind) => [...entriesOf(state, kind)].sort(byPlace))) {
    if (mostBytes !== Infinity) left -= Buffer.byteLength(JSON.stringify(entry))
    if (left < 0) throw tooLarge(mostBytes)
    entries.push(entry)
  }
  return sealedSnapshot({
    format: snapshotFormat,
    seed: state.seed,
    at: new Date(state.clock.now()).toISOString(),
    options: snapshotOptions(state, options),
    generators: generatorsOf(state),
    rates: Object.fromEntries(state.rates.counts),
    entries,
  })
}

/** The same as JSON in UTF-8. */
export function takeSnapshotText(state: TenantState, options: OwnOptions, mostBytes: number): Uint8Array {
  const text = Buffer.from(JSON.stringify(takeSnapshot(state, options, mostBytes)))
  if (text.length > mostBytes) throw tooLarge(mostBytes)
  return text
}

const tooLarge = (mostBytes: number): RangeError =>
  new RangeError(
    `The snapshot has more than ${mostBytes} bytes: reset the tenant, or start the simulator with a higher limit of \`snapshotBytes\`.`,
  )

/** Throws a RangeError while a turn or a write of operations is in flight. */
function proveIdle(state: TenantState): void {
  const { keys, operations } = state
  const turns = Math.max(turnsOf(state), keys.running.length)
  const writes = [...operations.runs.values()].filter(({ receipt }) => receipt === null).length
  if (turns + writes > 0)
    throw new RangeError(
      `Turns or operations in flight: ${turns + writes}. Wait for them, or release or crash their barrier first.`,
    )
}

function snapshotOptions(
  { vendor, identifiers }: TenantState,
  { legacy = false, unlimited = false, tasks, replyRules = [], networkFaults = [] }: OwnOptions,
) {
  return { vendor, identifiers, legacy, unlimited, ...(tasks && { tasks }), replyRules, networkFaults }
}

function generatorsOf({ random, outbox, operations }: TenantState) {
  return {
    tenant: random.position,
    deliveries: outbox.random.position,
    operations: operations.random.position,
    accounts: Object.fromEntries([...operations.data].map(([id, data]) => [id, data.random.position])),
  }
}

function* entriesOf(state: TenantState, kind: EntryKind): Generator<Entry> {
  for (const id of codecs[kind].ids(state)) {
    const written = codecs[kind].write(state, id)
    if (written)
      yield { kind, id, ...written, body: kind === 'settings' ? still(written.body) : written.body }
  }
}

/** Real time passes until the snapshot is restored; frozen and scaled time stand still. */
function still({ clock, ...body }: JsonObject): JsonObject {
  const { setting = null, at = null } = isObject(clock) ? clock : {}
  return {
    ...body,
    clock: isObject(setting) && setting['mode'] === 'scaled' ? { setting, at } : (clock ?? null),
  }
}

/** Throws a RangeError for a snapshot of another tenant, and while a turn is in flight. */
export function proveRestorable(state: TenantState, options: OwnOptions, snapshot: Snapshot): void {
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
  readEntries(state, entries)
  for (const [account, position] of Object.entries(generators.accounts))
    state.operations.data.get(account)?.random.moveTo(position)
}

/** Starts the timers, and marks everything as changed. */
export function wakeRestored(state: TenantState, { entries }: Snapshot): void {
  wake(state)
  for (const { kind, id } of entries) state.changes.changed(kind, id)
}
