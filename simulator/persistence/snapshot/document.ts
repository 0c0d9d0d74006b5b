/** A snapshot of a tenant as one JSON document, and how it is verified. */
import { hash } from 'node:crypto'
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { ReplyRule } from '../../chat/reply-rule.ts'
import { canonicalJson, isObject, type JsonObject } from '../../json.ts'
import type { NetworkFault } from '../../network-faults/network-fault.ts'
import type { TaskPace } from '../../operations/operation.ts'
import type { EntryKind } from '../../tenant/changes.ts'
import type { RandomPosition } from '../../tenant/random.ts'
import type { RateCount } from '../../tenant/rate.ts'

export const snapshotFormat = 'touchstone-snapshot/1'

/** Options that a tenant needs in order to respond, and to reset, as the original does. */
export interface SnapshotOptions {
  readonly vendor: string
  readonly identifiers: Identifiers
  readonly legacy: boolean
  readonly unlimited: boolean
  readonly tasks?: TaskPace
  readonly replyRules: readonly ReplyRule[]
  readonly networkFaults: readonly NetworkFault[]
}

/** Positions of the generators of ids. */
export interface Generators {
  readonly tenant: RandomPosition
  readonly deliveries: RandomPosition
  readonly operations: RandomPosition
  /** By account id. */
  readonly accounts: Readonly<Record<string, RandomPosition>>
}

/** One item that the tenant remembers, as its codec writes it. */
export interface SnapshotEntry {
  readonly kind: EntryKind
  readonly id: string
  readonly place: number
  /** Milliseconds since 1970. */
  readonly since: number
  readonly body: JsonObject
}

export interface Snapshot {
  readonly format: typeof snapshotFormat
  readonly seed: string
  /** Time of the tenant when the snapshot was taken, in ISO 8601. */
  readonly at: string
  readonly options: SnapshotOptions
  readonly generators: Generators
  readonly rates: Readonly<Record<string, RateCount>>
  readonly entries: readonly SnapshotEntry[]
  /** SHA-256 of the rest: detects damage, not forgery. */
  readonly digest: string
}

/** What stands before the entries. */
export type SnapshotHead = Omit<Snapshot, 'entries' | 'digest'>

/** Options of a tenant to be created from a snapshot. */
export const optionsFrom = ({ seed, options }: Snapshot): SnapshotOptions & { seed: string } => ({
  seed,
  ...options,
})

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
  if (digest === digestOf({ format, ...content })) return value as unknown as Snapshot
  throw new RangeError(
    'The snapshot is damaged or was edited, because its digest differs: download it again.',
  )
}

const digestOf = (content: JsonObject): string => `sha256:${hash('sha256', canonicalJson(content), 'hex')}`
